import { type Actor, isAdmin } from '../platform/actor.js'
import { ALLOW, refuse, type Verdict } from '../platform/problem.js'
import type { Candidate } from './member-queries.js'
import type { ChatFor } from './queries.js'
import { ARCHIVED, isEmployee, isGroup, MANAGERS, manages, mayRead, NO_GROUP } from './rules.js'

/** The workspace owner reads every roster, though not every chat; everybody else where they may read. */
export function mayReadRoster(actor: Actor, chat: ChatFor): Verdict {
  return actor.role === 'owner' ? ALLOW : mayRead(actor, chat)
}

/** Employees who see a chat add to it, themselves too; to an archived one nobody does. */
export function mayAddMembers(actor: Actor, chat: ChatFor): Verdict {
  if (!isEmployee(actor)) return refuse('chat.members.guest_adds', { role: actor.role })
  const seen = mayRead(actor, chat)
  return chat.archived_at && seen.allowed ? ARCHIVED : seen
}

/** The same people bind tags, to conversations and channels alone. */
export function mayBindTags(actor: Actor, chat: ChatFor): Verdict {
  return isGroup(chat) ? mayAddMembers(actor, chat) : NO_GROUP
}

function mayManage(chat: ChatFor): Verdict {
  if (!isGroup(chat)) return NO_GROUP
  if (!manages(chat)) return MANAGERS
  return chat.archived_at ? ARCHIVED : ALLOW
}

export function mayUnbindTags(chat: ChatFor): Verdict {
  return mayManage(chat)
}

export function mayChangeRoles(chat: ChatFor): Verdict {
  return mayManage(chat)
}

/** Creator and admins remove; from a thread its creator, and those who manage its parent chat. */
export function mayRemoveMembers(chat: ChatFor): Verdict {
  if (chat.kind === 'personal') return refuse('chat.members.personal')
  const may = manages(chat) || (chat.kind === 'thread' && manages({ my_role: chat.my_parent_role }))
  if (!may) return MANAGERS
  return chat.archived_at ? ARCHIVED : ALLOW
}

/** Members leave conversations, channels and threads, archived ones too; not whom a bound tag holds, and not guests. */
export function mayLeave(actor: Pick<Actor, 'role'>, chat: ChatFor, held: boolean): Verdict {
  if (!isEmployee(actor)) return refuse('chat.leave.guest', { role: actor.role })
  if (chat.my_role === null) return refuse('chat.leave.member', { chat_role: null })
  if (chat.kind === 'personal') return refuse('chat.leave.personal')
  return held ? refuse('chat.leave.tag') : ALLOW
}

type Bot = Pick<Candidate, 'creator_id' | 'who_can_add'>

/** A bot's own setting says who adds it; guests never do. */
export function mayAddBot(actor: Pick<Actor, 'user_id' | 'role'>, bot: Bot): boolean {
  if (!isEmployee(actor)) return false
  if (bot.creator_id === actor.user_id) return true
  if (bot.who_can_add === 'creator_admin') return isAdmin(actor as Actor)
  return bot.who_can_add === 'creator_admin_user' || bot.who_can_add === 'anyone'
}

/** A guest has one chat, and threads only there. */
export function mayJoinAsGuest(guest: Candidate, chat: Pick<ChatFor, 'kind'> | null): boolean {
  return chat?.kind === 'thread' ? guest.in_parent : !guest.elsewhere
}

/** A bot of a single chat is in one live conversation or channel at most; threads are free. */
export function isOccupied(bot: Candidate, chat: Pick<ChatFor, 'kind'> | null): boolean {
  return bot.single_chat === true && bot.elsewhere && chat?.kind !== 'thread'
}
