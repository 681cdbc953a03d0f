import type { Message, MessageCreateRequest, QuotedMessage, TimelineMessage } from '@parley/contract'
import { uploadFile } from '../composer/upload.js'
import { draftAt, dropDraft, saveDraft } from '../drafts/actions.js'
import { type Place, placeKey, placeOf as placeOfKey } from '../drafts/state.js'
import { call } from '../platform/api.js'
import { type Change, hasLost, isOfChat, messageOf, type PagePlace } from '../platform/changes.js'
import { discard, enqueue, type Waiting } from '../platform/outbox.js'
import { apply, hearing, state } from '../store.js'
import { returned } from './quoting.js'
import { regroup } from './reactions.js'

const PAGE = 50

export type Where =
  | { newest: true }
  | { first_unread: true }
  | { around: number }
  | { at: string }
  | { before: number }
  | { after: number }

const placeOf = (where: Where): PagePlace => ('before' in where || 'after' in where ? where : 'fresh')

const reading = new Map<string, Promise<number | null>>()

/** Reads a page of a chat into the state; gives the message that was asked for. What is being read already is not asked twice. */
export function readTimeline(chatId: number, where: Where): Promise<number | null> {
  const key = JSON.stringify([chatId, where])
  const asked = reading.get(key) ?? readPage(chatId, where).finally(() => reading.delete(key))
  reading.set(key, asked)
  return asked
}

function readPage(chatId: number, where: Where): Promise<number | null> {
  const query = 'newest' in where ? { limit: PAGE } : { ...where, limit: PAGE }
  return hearing(call('listTimeline', { params: { id: chatId }, query }), (page, heard) => {
    if (hasLost(heard)) return readPage(chatId, where)
    apply({ type: 'page', chat_id: chatId, place: placeOf(where), page })
    applyAgain(heard, chatId)
    return page.meta.anchor_id
  })
}

/** What was heard about a chat while an answer was on its way. Applying the same twice changes nothing. */
export function applyAgain(changes: readonly Change[], chatId: number) {
  for (const change of changes) if (messageOf(change) && isOfChat(change, chatId)) apply(change)
}

/** A message from its own answer, with the fields of a timeline left empty. */
export function asTimeline(message: Message, quoted: QuotedMessage | null): TimelineMessage {
  return {
    ...message,
    files: message.files.map((file) => ({ ...file, preview_url: null })),
    thread: null,
    reactions: [],
    link_previews: [],
    pinned: false,
    mentioned: false,
    quoted,
    system_event: null,
    edited: false,
  }
}

/** What the outbox sent has its answer. */
export function takeAnswer(entry: Waiting, answer: unknown) {
  if (entry.name !== 'createMessage') return
  const { data } = answer as { data: Message }
  const parent = data.parent_message_id
  const known = parent === null ? undefined : findMessage(data.chat_id, parent)
  apply({ type: 'message', message: asTimeline(data, known ? quotedOf(known) : null) })
}

export function findMessage(chatId: number, id: number): TimelineMessage | undefined {
  return state.messages.value.get(chatId)?.messages.find((message) => message.id === id)
}

export function quotedOf(message: TimelineMessage): QuotedMessage {
  const { id, user_id, content, files, deleted_at } = message
  const deleted = deleted_at !== null
  return { id, user_id, content: content.slice(0, 300), files_count: files.length, deleted }
}

export type NewMessage = Pick<MessageCreateRequest['message'], 'content' | 'files' | 'parent_message_id'>

/** Sends through the outbox: at once, or when there is a connection again. */
export function sendMessage(place: Place, message: NewMessage, file?: File) {
  const draft_id = dropDraft(place)
  const body = { message: { ...place, ...message, ...(draft_id ? { draft_id } : {}) }, link_preview: true }
  return enqueue(placeKey(place), 'createMessage', { body }, file)
}

/** Puts a message that was not sent back into the field of its place, before what is being written there. */
export async function takeBack({ key, queue, input }: Waiting) {
  const { content = '', files = [], parent_message_id } = (input.body as MessageCreateRequest).message
  const place = placeOfKey(queue)
  const now = draftAt(place)
  saveDraft(place, {
    content: [content, now.content].filter(Boolean).join('\n\n'),
    files: [...files, ...now.files],
    parent_message_id: parent_message_id ?? now.parent_message_id,
  })
  returned.value = queue
  await discard(key)
}

/** Uploads the file that an entry of the outbox holds, which its message names without a key until then. */
export async function uploadOf(entry: Waiting, signal: AbortSignal): Promise<Waiting> {
  const { file, ...rest } = entry
  const { body } = rest.input as unknown as { body: MessageCreateRequest }
  if (!file) return rest
  const { key, name, size } = await uploadFile(file, () => {}, signal)
  const files = body.message.files?.map((one) => ({ ...one, key, name, size }))
  return { ...rest, input: { body: { ...body, message: { ...body.message, files } } } } as unknown as Waiting
}

/** Reacts, or takes it back; shown at once and put right when refused. */
export async function toggleReaction(message: TimelineMessage, code: string, name: string | null = null) {
  const me = state.session.value?.user.id ?? 0
  const mine = message.reactions.some((group) => group.code === code && group.mine)
  const show = (added: boolean) => {
    const now = findMessage(message.chat_id, message.id)
    if (!now) return
    const reactions = [...regroup(now.reactions, { code, name, user_id: me, added, me })]
    const frame = { type: 'message.updated', chat_id: message.chat_id, actor_id: me, created_at: '' }
    apply({ type: 'live', me, frame: { ...frame, payload: {}, message: { ...now, reactions } } })
  }
  show(!mine)
  const params = { id: message.id }
  const custom = name === null ? {} : { name }
  try {
    if (mine) await call('removeReaction', { params, query: { code, ...custom } })
    else await call('addReaction', { params, body: { code, ...custom } })
  } catch (error) {
    show(mine)
    throw error
  }
}
