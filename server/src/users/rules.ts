import type { Actor } from '../platform/actor.js'
import { ALLOW, deny, refuse, type Verdict } from '../platform/problem.js'
import type { UserRow } from './queries.js'

type Target = Pick<UserRow, 'id' | 'role' | 'bot'>

const protectedOwner = (reason: string): Verdict => ({ ...deny('owner_protected', 'user.owner'), reason })

/** The owner's card is the owner's alone. */
export function mayEdit(actor: Actor, user: Target): Verdict {
  if (user.role !== 'owner' || actor.user_id === user.id) return ALLOW
  return protectedOwner('only the owner changes their own account')
}

/** Nobody deletes the owner, and nobody deletes himself. Bots go by their own operation. */
export function mayDelete(actor: Actor, user: Target): Verdict {
  if (user.role === 'owner') return protectedOwner('a workspace always has its owner')
  if (user.id === actor.user_id) return deny('self_update')
  return user.bot ? refuse('user.delete.bot') : ALLOW
}

/** What a person is to a multi-guest. */
export interface Acquaintance {
  id: number
  /** Both are in a chat that is neither a thread nor archived. */
  shares_chat: boolean
  public_bot: boolean
}

/** A multi-guest sees themselves, people in the same active chats, and public bots; everybody else sees all. */
export function maySee(actor: Pick<Actor, 'user_id' | 'role'>, person: Acquaintance): boolean {
  if (actor.role !== 'multi_guest') return true
  return person.id === actor.user_id || person.shares_chat || person.public_bot
}

const ASSIGNABLE = new Set(['admin', 'user', 'multi_guest'])

/** The owner keeps the role, and an employee never becomes a guest. */
export function mayTakeRole(user: Target, role: unknown): Verdict {
  if (user.role === 'owner')
    return role === 'admin' || !isRole(role) ? ALLOW : protectedOwner('the owner keeps this role')
  return role === 'guest' && user.role !== 'guest' ? refuse('user.role.guest') : ALLOW
}

function isRole(role: unknown): boolean {
  return role === 'guest' || ASSIGNABLE.has(role as string)
}

/** The role that an edit leads to; a word that is no role changes nothing, and bots keep theirs. */
export function roleAfter(user: Target, role: unknown): string {
  return user.role === 'owner' || user.bot || !ASSIGNABLE.has(role as string) ? user.role : (role as string)
}

/** Whether the person takes up a licence; guests of both kinds do not. */
export function isLicensed(user: Pick<UserRow, 'role' | 'bot' | 'suspended'>): boolean {
  return !user.bot && !user.suspended && user.role !== 'guest' && user.role !== 'multi_guest'
}
