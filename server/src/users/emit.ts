import type {
  companyMembersActivated,
  companyMembersConfirmed,
  companyMembersDeleted,
  companyMembersInvited,
  companyMembersSuspended,
  companyMembersUpdated,
} from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'

type MembersEvent =
  | typeof companyMembersInvited
  | typeof companyMembersConfirmed
  | typeof companyMembersUpdated
  | typeof companyMembersSuspended
  | typeof companyMembersActivated
  | typeof companyMembersDeleted

/** Tells the workspace what became of some of its people. */
export async function emitMembersEvent(
  tx: Tx,
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  event: MembersEvent,
  user_ids: number[],
) {
  await emit(tx, ctx, actor, event, { user_ids, created_at: now(ctx.clock).toISOString() })
}
