import { type Actor, isAdmin } from '../platform/actor.js'
import { ALLOW, deny, type Verdict } from '../platform/problem.js'
import type { Candidate } from './member-queries.js'
import type { ChatFor } from './queries.js'
import { isEmployee, isGroup, manages, mayRead } from './rules.js'

/** The workspace owner reads every roster, though not every chat; everybody else where they may read. */
export function mayReadRoster(actor: Actor, chat: ChatFor): Verdict {
  return actor.role === 'owner' ? ALLOW : mayRead(actor, chat)
}

/** Employees who see a chat add to it, themselves too; to an archived one nobody does. */
export function mayAddMembers(actor: Actor, chat: ChatFor): Verdict {
  if (!isEmployee(actor) || chat.archived_at) return deny()
  return mayRead(actor, chat)
}

/** The same people bind tags, to conversations and channels alone. */
export function mayBindTags(actor: Actor, chat: ChatFor): Verdict {
  return isGroup(chat) ? mayAddMembers(actor, chat) : deny()
}

export function mayUnbindTags(chat: ChatFor): Verdict {
  return isGroup(chat) && manages(chat) && !chat.archived_at ? ALLOW : deny()
}

export function mayChangeRoles(chat: ChatFor): Verdict {
  return isGroup(chat) && manages(chat) && !chat.archived_at ? ALLOW : deny()
}

/** Creator and admins remove; from a thread its creator, and those who manage its parent chat. */
export function mayRemoveMembers(chat: ChatFor): Verdict {
  if (chat.archived_at || chat.kind === 'personal') return deny()
  if (manages(chat)) return ALLOW
  return chat.kind === 'thread' && manages({ my_role: chat.my_parent_role }) ? ALLOW : deny()
}

/** Members leave conversations, channels and threads, archived ones too; not whom a bound tag holds, and not guests. */
export function mayLeave(actor: Pick<Actor, 'role'>, chat: ChatFor, held: boolean): Verdict {
  return isEmployee(actor) && chat.my_role !== null && chat.kind !== 'personal' && !held ? ALLOW : deny()
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
