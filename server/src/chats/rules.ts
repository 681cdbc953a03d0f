import type { Actor } from '../platform/actor.js'
import { ALLOW, refuse, type Verdict } from '../platform/problem.js'
import type { ChatFor } from './queries.js'

type Who = Pick<Actor, 'role'>

/** Owner, admins, employees and bots; not the guests of several chats. */
export function isEmployee(actor: Who): boolean {
  return actor.role !== 'multi_guest'
}

/** Why a chat stays as it is, where people do not know it from what they see. */
export const ARCHIVED = refuse('chat.archived', { archived: true })
export const NO_GROUP = refuse('chat.group')
export const MANAGERS = refuse('chat.manage')

function judged(allowed: boolean, otherwise: Verdict): Verdict {
  return allowed ? ALLOW : otherwise
}

export function isGroup(chat: Pick<ChatFor, 'kind'>): boolean {
  return chat.kind === 'conversation' || chat.kind === 'channel'
}

/** Creator and admins of a chat manage it. */
export function manages(chat: Pick<ChatFor, 'my_role'>): boolean {
  return chat.my_role === 'owner' || chat.my_role === 'admin'
}

/** All that reading depends on. */
export type ReadableChat = Pick<ChatFor, 'kind' | 'public' | 'my_role' | 'parent_public' | 'my_parent_role'>

function sees(actor: Who, chat: ReadableChat): boolean {
  if (chat.my_role !== null || chat.my_parent_role !== null) return true
  const open = chat.kind === 'thread' ? chat.parent_public === true : chat.public && isGroup(chat)
  return open && isEmployee(actor)
}

/** Members read; employees read open chats; a thread is seen by those who see it or the chat it hangs in. */
export function mayRead(actor: Who, chat: ReadableChat): Verdict {
  return judged(sees(actor, chat), refuse('chat.read.member', { chat_role: null }))
}

/** Members write, in a channel those above subscriber, in an archived chat nobody; in a thread those who see it. */
export function mayWrite(actor: Who, chat: ChatFor): Verdict {
  if (chat.kind === 'thread') return mayRead(actor, chat)
  if (chat.my_role === null) return refuse('chat.write.member', { chat_role: null })
  if (chat.archived_at) return ARCHIVED
  const above = chat.kind !== 'channel' || chat.my_role !== 'member'
  return judged(above, refuse('chat.write.channel_role', { chat_role: chat.my_role }))
}

/** Pins follow writing, and threads have none. */
export function mayPin(actor: Who, chat: ChatFor): Verdict {
  return chat.kind === 'thread' ? refuse('chat.pin.thread') : mayWrite(actor, chat)
}

/** Creator, admins and editors delete what others wrote; in a personal chat both sides are admins. */
export function mayDeleteOthersMessages(chat: ChatFor): Verdict {
  const looksAfter = manages(chat) || chat.my_role === 'editor'
  if (chat.archived_at && looksAfter) return ARCHIVED
  return judged(looksAfter, refuse('message.delete.others', { chat_role: chat.my_role }))
}

/** Anyone who can read a chat can start threads in it, unless it is archived. */
export function mayStartThread(actor: Who, chat: ChatFor): Verdict {
  const seen = mayRead(actor, chat)
  return chat.archived_at && seen.allowed ? ARCHIVED : seen
}

/** A closed chat is changed by creator and admins, an open one by any employee; archived and other kinds by nobody. */
export function mayUpdateChat(actor: Who, chat: ChatFor): Verdict {
  if (!isGroup(chat)) return NO_GROUP
  const may = manages(chat) || (chat.public && isEmployee(actor))
  return may && chat.archived_at ? ARCHIVED : judged(may, MANAGERS)
}

/** Creator and admins archive a conversation or channel, once. */
export function mayArchive(chat: ChatFor): Verdict {
  if (!isGroup(chat)) return NO_GROUP
  if (!manages(chat)) return MANAGERS
  return chat.archived_at === null ? ALLOW : refuse('chat.archive.once', { archived: true })
}

export function mayUnarchive(chat: ChatFor): Verdict {
  return isGroup(chat) ? judged(manages(chat), MANAGERS) : NO_GROUP
}
