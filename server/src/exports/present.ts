import type { Export, ExportChat, ExportMessage } from '@parley/contract'
import { DAY_MS } from '../platform/time.js'
import type { ChatItem, MemberItem, MessageItem, ReactionItem, UserItem } from './item-queries.js'
import type { ExportRow } from './queries.js'

export const KEPT_MS = 7 * DAY_MS
const NAME_AT_MOST = 100

export const dayOf = (date: Date) => date.toISOString().slice(0, 10)

export function expiryOf({ state, finished_at }: ExportRow): Date | null {
  return state === 'ready' && finished_at ? new Date(finished_at.getTime() + KEPT_MS) : null
}

export function presentExport(row: ExportRow, now: Date, turn: number | undefined): Export {
  const expires_at = expiryOf(row)
  const days = Math.round((row.to_at.getTime() - row.from_at.getTime()) / DAY_MS)
  const waits = row.state === 'building' && row.id !== turn
  return {
    id: row.id,
    user_id: row.user_id,
    state: waits ? 'waiting' : expires_at && expires_at <= now ? 'expired' : (row.state as Export['state']),
    start_at: dayOf(row.from_at),
    end_at: dayOf(new Date(row.to_at.getTime() - DAY_MS)),
    chat_ids: row.chat_ids,
    days,
    days_done: Math.round((row.day.getTime() - row.from_at.getTime()) / DAY_MS),
    messages: row.messages,
    size: row.size,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
  }
}

/** A thread of its own has no name, a personal chat is called after its two sides. */
export function nameOf(chat: ChatItem): string {
  if (chat.kind === 'personal') return chat.sides.join('-')
  return chat.kind === 'thread' ? 'Thread' : chat.name
}

/** A folder is the name of its chat without what would make it a path or what Windows does not take, and the id. */
export function folderOf(chat: ChatItem): string {
  const clean = nameOf(chat)
    .replaceAll(/[\\/<>:"|?*\p{Cc}\u2028\u2029]/gu, '_')
    .trim()
  const name = [...clean].slice(0, NAME_AT_MOST).join('').trim()
  return `${name === '' ? 'chat' : name}_${chat.id}`
}

function presentUser(user: UserItem) {
  return {
    id: user.id,
    role: user.bot ? ('bot' as const) : ('member' as const),
    name: user.first_name ?? '',
    last_name: user.last_name ?? '',
    email: user.email ?? '',
    tags: user.tags,
  }
}

function presentThread(item: MessageItem): ExportMessage['thread'] {
  if (item.in_thread_id === null) return null
  if (item.in_thread_message_id === null) return { id: item.in_thread_id }
  return {
    id: item.in_thread_id,
    message_id: item.in_thread_message_id,
    message_chat_id: String(item.in_thread_chat_id),
  }
}

export interface MessageParts {
  chat: ChatItem
  owner: UserItem
  author: UserItem
  reactions: readonly ReactionItem[]
}

/** A message of a day file. Personal chats show who wrote and when, and nothing of what. */
export function presentMessage(item: MessageItem, parts: MessageParts): ExportMessage {
  const { chat, owner, author, reactions } = parts
  const personal = chat.kind === 'personal'
  return {
    id: item.id,
    created_at: item.created_at.toISOString(),
    deleted_at: item.deleted_at?.toISOString() ?? null,
    content: personal || item.deleted_at ? '' : item.content,
    thread_id: item.thread_id,
    reactions: reactions.map(({ user_id, created_at, code }) => ({
      user_id,
      created_at: created_at.toISOString(),
      code,
    })),
    user: presentUser(author),
    chat: { id: chat.id, name: nameOf(chat), personal, owner: presentUser(owner), tags: chat.tags },
    thread: presentThread(item),
  }
}

export function presentChat(chat: ChatItem, members: readonly MemberItem[]): ExportChat {
  return {
    id: chat.id,
    personal: chat.kind === 'personal',
    name: nameOf(chat),
    owner_id: chat.owner_id,
    members: members.map(({ id, role }) => ({ id, role: role as 'owner' })),
    created_at: chat.created_at.toISOString(),
    updated_at: chat.last_message_at.toISOString(),
  }
}
