import { deliveryErrorOf, type EndpointTest } from '@parley/contract'
import { ulid } from 'ulid'
import type { Actor } from '../../platform/actor.js'
import { now } from '../../platform/clock.js'
import type { Context } from '../../platform/context.js'
import { Problem } from '../../platform/problem.js'
import { attempt, unsent } from '../attempt.js'
import { openKeys } from '../keys.js'
import { UNREADABLE } from '../send-lane.js'
import { loadBot, loadEndpoint, type Whose } from './load.js'
import { findSendingAddress } from './queries.js'

/** Sends one request with a body of no event, and says what came of it. */
export async function testEndpoint(
  ctx: Context,
  actor: Actor,
  whose: Whose,
  endpointId: number,
): Promise<EndpointTest> {
  await loadBot(ctx.db, actor, whose, 'test')
  const { name } = await loadEndpoint(ctx.db, whose.bot_id, endpointId)
  const at = now(ctx.clock)
  const address = await findSendingAddress(ctx.db, whose.bot_id, endpointId, at)
  if (!address?.url)
    throw new Problem(422, 'not_applicable', {
      key: 'url',
      message: 'the endpoint is disabled: enable it first',
    })
  const event_id = ulid(at.getTime())
  const payload = JSON.stringify({
    type: 'test',
    event: 'test',
    bot_id: whose.bot_id,
    endpoint: name,
    created_at: at.toISOString(),
  })
  const keys = openKeys(ctx.secret, whose.bot_id, address)
  const { status, duration_ms, error } = keys
    ? await attempt(ctx, { event_id, payload, url: address.url, number: 1, ...keys })
    : unsent(ctx, UNREADABLE)
  return { event_id, status, duration_ms, error, error_code: deliveryErrorOf(error) }
}
