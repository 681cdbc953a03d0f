import type { ChatCard, TimelineMessage } from '@parley/contract'
import { type Change, isOfChat, type LiveFrame } from '../platform/changes.js'
import { revisionOf } from '../platform/revision.js'
import type { Area } from '../platform/store.js'

export type Chats = ReadonlyMap<number, ChatCard>

function withCards(state: Chats, cards: readonly ChatCard[]): Chats {
  return new Map([...state, ...cards.map((card) => [card.id, card] as const)])
}

function withCard(state: Chats, card: ChatCard): Chats {
  return new Map(state).set(card.id, card)
}

/** A message that the card does not count yet. The counters of a card are true up to its `last_message_id`. */
function withMessage(card: ChatCard, message: TimelineMessage, me: number): ChatCard {
  if (message.id <= (card.last_message_id ?? 0) || message.deleted_at) return card
  const { id, user_id, content, files, system } = message
  const last_message = { id, user_id, content: content.slice(0, 200), files_count: files.length, system }
  const next = { ...card, last_message, last_message_at: message.created_at }
  if (system) return next
  if (card.my_role === null) return { ...next, last_message_id: id }
  // Whoever writes, on whichever device, has read what was said before.
  if (user_id === me)
    return { ...next, last_message_id: id, read_message_id: id, unread_count: 0, mention_count: 0 }
  const counted = id > (card.read_message_id ?? 0)
  return {
    ...next,
    last_message_id: id,
    unread_count: card.unread_count + (counted ? 1 : 0),
    mention_count: card.mention_count + (counted && message.mentioned ? 1 : 0),
  }
}

function withEdit(card: ChatCard, message: TimelineMessage): ChatCard {
  if (card.last_message?.id !== message.id) return card
  if (message.deleted_at) return { ...card, last_message: null }
  return { ...card, last_message: { ...card.last_message, content: message.content.slice(0, 200) } }
}

function withPointer(card: ChatCard, payload: LiveFrame['payload']): ChatCard {
  const read_message_id = payload.read_message_id ?? payload.message_id ?? card.read_message_id ?? 0
  // Where the server does not count, everything up to the newest is read or nothing is known to be unread.
  const all = read_message_id >= (card.last_message_id ?? 0)
  return {
    ...card,
    read_message_id,
    unread_count: payload.unread_count ?? (all ? 0 : card.unread_count),
    mention_count: payload.mention_count ?? (all ? 0 : card.mention_count),
  }
}

function reduceLive(state: Chats, frame: LiveFrame, me: number): Chats {
  const { chat_id, chat } = frame
  if (chat) return withCard(state, chat)
  const card = chat_id === null ? undefined : state.get(chat_id)
  if (!card) return state
  const next = reduceCard(card, frame, me)
  if (next === card) return state
  if (next) return withCard(state, next)
  return without(state, [card.id])
}

function without(state: Chats, ids: Iterable<number>): Chats {
  const rest = new Map(state)
  for (const id of ids) rest.delete(id)
  return rest
}

/** Known chats stay until the last page says which of them are gone. Threads are on no page: what was missed is not in their cards. */
function withoutThreads(state: Chats): Chats {
  return new Map([...state].filter(([, { kind }]) => kind !== 'thread'))
}

/** The card after an event in its chat; null when it is no chat of mine any more. */
function reduceCard(card: ChatCard, { type, payload, message }: LiveFrame, me: number): ChatCard | null {
  if (type === 'chat_members.removed') return payload.user_ids?.includes(me) ? null : card
  if (type === 'read.moved') return payload.user_id === me ? withPointer(card, payload) : card
  if (!message) return card
  return type === 'message.created' || type === 'message.system'
    ? withMessage(card, message, me)
    : withEdit(card, message)
}

/** Chats of the person, and others that were looked at. */
export const chats: Area<Chats> = {
  initial: new Map(),
  reduce(state, change: Change) {
    switch (change.type) {
      case 'started':
        return withCards(
          change.start.next_chats === null ? new Map() : withoutThreads(state),
          change.start.chats,
        )
      case 'more_chats': {
        const { chats: cards, heard } = change
        const ofPage = heard.filter((one) => cards.some(({ id }) => isOfChat(one, id)))
        return ofPage.reduce((after, one) => chats.reduce(after, one), withCards(state, cards))
      }
      case 'chats_gone':
        return without(state, change.ids)
      case 'chat':
        return withCard(state, change.chat)
      case 'live':
        return reduceLive(state, change.frame, change.me)
      case 'signed_out':
        return new Map()
      default:
        return state
    }
  },
}

/** Own chats and their members; nobody hears of chats that they are not in. */
export const chatRevision = revisionOf('chat', 'chat_members')
