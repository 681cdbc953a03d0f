import type { Actor } from '../platform/actor.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'

export type MembersEvent = 'invited' | 'confirmed' | 'updated' | 'suspended' | 'activated' | 'deleted'

/** Tells the workspace what became of some of its people. */
export async function tellOfMembers(
  tx: Tx,
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  what: MembersEvent,
  user_ids: number[],
) {
  const payload = { user_ids, created_at: present(ctx.clock).toISOString() }
  await emit(tx, ctx, actor, { type: `company_members.${what}`, payload })
}
