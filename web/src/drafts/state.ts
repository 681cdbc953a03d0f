import type { ChatCard, Draft, MessageFileInput } from '@parley/contract'
import type { Change } from '../platform/changes.js'
import type { Area } from '../platform/store.js'

/** Where something is written: a chat, the chat of a thread, or a person that no chat exists with yet. */
export interface Place {
  entity_type: 'discussion' | 'thread' | 'user'
  entity_id: number
}

export function placeKey({ entity_type, entity_id }: Place): string {
  return `${entity_type}:${entity_id}`
}

export function placeOf(key: string): Place {
  const [entity_type, entity_id] = key.split(':')
  return { entity_type: entity_type as Place['entity_type'], entity_id: Number(entity_id) }
}

/** What a draft puts back into the input field. */
export function writtenIn({ content, files, parent_message_id }: Draft) {
  return {
    content,
    parent_message_id,
    files: files.map(
      ({ key, name, file_type, size = 0, width, height }): MessageFileInput => ({
        key,
        name,
        file_type,
        size,
        ...(width === null ? {} : { width }),
        ...(height === null ? {} : { height }),
      }),
    ),
  }
}

export type Drafts = ReadonlyMap<string, Draft>

/** What is written to a person is in their chat as soon as there is one. */
function keyOf({ entity_type, entity_id, chat_id }: Draft): string {
  if (entity_type === 'user' && chat_id !== null) return chatKey(chat_id)
  return placeKey({ entity_type, entity_id: entity_id ?? 0 })
}

const chatKey = (entity_id: number) => placeKey({ entity_type: 'discussion', entity_id })

/** The draft for a person whose chat has come. */
function inChat(state: Drafts, { id, personal_user_id }: ChatCard): Drafts {
  if (personal_user_id === null) return state
  const before = placeKey({ entity_type: 'user', entity_id: personal_user_id })
  const draft = state.get(before)
  return draft ? withDraft(withDraft(state, before, null), chatKey(id), { ...draft, chat_id: id }) : state
}

function withDraft(state: Drafts, place: string, draft: Draft | null): Drafts {
  const next = new Map(state)
  if (draft) next.set(place, draft)
  else next.delete(place)
  return next
}

/** What the server keeps of unsent texts; scheduled messages are not among them. */
export const drafts: Area<Drafts> = {
  initial: new Map(),
  reduce(state, change: Change) {
    if (change.type === 'started') return new Map(change.start.drafts.map((draft) => [keyOf(draft), draft]))
    if (change.type === 'more_drafts')
      return new Map([...change.drafts.map((draft) => [keyOf(draft), draft] as const), ...state])
    if (change.type === 'signed_out') return new Map()
    if (change.type === 'draft')
      return withDraft(state, change.draft ? keyOf(change.draft) : change.place, change.draft)
    if (change.type === 'chat') return inChat(state, change.chat)
    if (change.type !== 'live') return state
    if (change.frame.chat) return inChat(state, change.frame.chat)
    if (!change.frame.type.startsWith('draft.')) return state
    const { draft, payload } = change.frame
    // A scheduled draft is no longer in the input field.
    if (change.frame.type === 'draft.saved' && draft && !draft.schedule) {
      // The echo of an own save may come after the answer to the next one.
      const known = state.get(keyOf(draft))
      const isOld = known?.id === draft.id && known.updated_at > draft.updated_at
      return isOld ? state : withDraft(state, keyOf(draft), draft)
    }
    return new Map([...state].filter(([, { id }]) => id !== payload.draft_id))
  },
}
