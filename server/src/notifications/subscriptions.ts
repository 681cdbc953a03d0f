import type { PushSubscription } from '@parley/contract'
import { deviceOf } from '../accounts/own-sessions.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { found, Problem } from '../platform/problem.js'
import { isPublicKey } from './push-keys.js'
import {
  deleteSubscription,
  findSubscription,
  listSubscriptions,
  putSubscription,
  type SubscriptionRow,
} from './subscription-queries.js'

const AUTH_BYTES = 16

export interface BrowserSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

function present(actor: Actor, row: SubscriptionRow): PushSubscription {
  return {
    id: row.id,
    device: deviceOf(row.user_agent),
    push_service: new URL(row.endpoint).host,
    created_at: row.created_at.toISOString(),
    last_sent_at: row.last_sent_at?.toISOString() ?? null,
    current: row.token_id === actor.token_id,
  }
}

export async function loadSubscriptions(ctx: Context, actor: Actor): Promise<PushSubscription[]> {
  const rows = await listSubscriptions(ctx.db, actor.user_id, now(ctx.clock))
  return rows.map((row) => present(actor, row))
}

/** The address is the caller's own word: it is held to the rules for addresses that anybody may name. */
async function check(ctx: Context, { endpoint, keys }: BrowserSubscription) {
  const verdict = await ctx.outbound_public.check(endpoint)
  if (!verdict.ok)
    throw new Problem(422, 'invalid', { key: 'subscription.endpoint', message: verdict.reason })
  if (!isPublicKey(keys.p256dh))
    throw new Problem(422, 'invalid', { key: 'subscription.keys.p256dh', message: 'is no point of P-256' })
  if (Buffer.from(keys.auth, 'base64url').length !== AUTH_BYTES)
    throw new Problem(422, 'invalid', {
      key: 'subscription.keys.auth',
      message: `must have ${AUTH_BYTES} bytes`,
    })
}

export async function addSubscription(
  ctx: Context,
  actor: Actor,
  subscription: BrowserSubscription,
): Promise<PushSubscription> {
  await check(ctx, subscription)
  const { endpoint, keys } = subscription
  return transaction(ctx, async (tx) => {
    const created_at = now(ctx.clock)
    const row = { user_id: actor.user_id, token_id: actor.token_id as number, endpoint, ...keys, created_at }
    const id = await putSubscription(tx, row)
    return present(actor, found(await findSubscription(tx, actor.user_id, id, created_at)))
  })
}

export function removeSubscription(ctx: Context, actor: Actor, id: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    found(await findSubscription(tx, actor.user_id, id, now(ctx.clock)), { key: 'id', value: id })
    await deleteSubscription(tx, id)
  })
}
