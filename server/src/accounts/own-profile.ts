import type { OwnProfileUpdate, User } from '@parley/contract'
import { findWorkspace } from '../company/queries.js'
import { type Actor, isAdmin } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { ALLOW, ensure, refuse, type Verdict } from '../platform/problem.js'
import { editUser } from './edit.js'

/** Phone and time zone are one's own; names can be left to admins. */
export function mayChangeOwnCard(actor: Actor, own_names: string, change: OwnProfileUpdate): Verdict {
  const { phone_number, time_zone, ...names } = change
  const renames = Object.values(names).some((value) => value !== undefined)
  return !renames || own_names === 'all' || isAdmin(actor)
    ? ALLOW
    : refuse('user.names', { role: actor.role })
}

export async function changeOwnCard(ctx: Context, actor: Actor, input: OwnProfileUpdate): Promise<User> {
  const { first_name, last_name, nickname, phone_number, title, time_zone } = input
  const change = { first_name, last_name, nickname, phone_number, title, time_zone }
  const workspace = await findWorkspace(ctx.db)
  const about = { type: 'User', id: actor.user_id }
  ensure(mayChangeOwnCard(actor, workspace?.own_names ?? 'all', change), 'update', about)
  return editUser(ctx, actor, actor.user_id, change)
}
