import { type Health, recordHealth } from '../bots/health-queries.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Address } from './address.js'
import { recordEndpointHealth } from './endpoints/health-queries.js'

export type AddressHealth = Pick<Health, 'failures' | 'succeeded'>

/** Writes down what attempts say of an address; true where it has failed long enough to be paused. */
export async function recordAddressHealth(
  ctx: Context,
  { bot_id, endpoint_id }: Address,
  health: AddressHealth,
): Promise<boolean> {
  const { autocommit_pool: pool, clock } = ctx
  if (endpoint_id !== 0) return recordEndpointHealth(pool, endpoint_id, health, now(clock))
  return (await recordHealth(pool, [{ bot_id, ...health }], now(clock))).length > 0
}
