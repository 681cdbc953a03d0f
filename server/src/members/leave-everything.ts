import { leaveAgainJob } from '@parley/contract'
import { deleteMemberships, lockMemberships } from '../chats/member-queries.js'
import { emitLeft } from '../chats/roster.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { MINUTE_MS } from '../platform/time.js'
import { listTagIdsOfUser, lockTags } from '../tags/queries.js'

/** Longer than any transaction takes that adds members. */
export const JOINED_BY_THEN_MS = MINUTE_MS

/** Locks what a person has, before any of it goes: tags first, and then the counts of all their chats. */
export async function lockPlacesOf(tx: Tx, userId: number) {
  await lockTags(tx, await listTagIdsOfUser(tx, userId))
  await lockMemberships(tx, userId)
}

/** Takes a person out of every conversation, channel and thread; personal chats stay as they are. */
export async function leaveEverything(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  for (const chat of await deleteMemberships(tx, userId)) await emitLeft(tx, ctx, actor, chat, [userId])
}

/** The same for somebody who is deleted: whoever adds them at this moment does not see it yet. */
export async function leaveForGood(tx: Tx, ctx: Context, actor: Actor, user_id: number) {
  await leaveEverything(tx, ctx, actor, user_id)
  const { user_id: actor_id, role, plan } = actor
  const run_at = new Date(ctx.clock.now() + JOINED_BY_THEN_MS)
  await enqueue(tx, ctx, leaveAgainJob, { user_id, actor_id, role, plan }, { run_at })
}
