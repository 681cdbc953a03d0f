import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { AutocommitPool, Tx } from '../platform/db/index.js'
import { Problem } from '../platform/problem.js'
import { DAY_MS } from '../platform/time.js'
import { countMessage, pauseSender, type Sender } from './quota-queries.js'

export const WINDOW_MS = DAY_MS
const FIRST_PAUSE_S = 3600
const LONGEST_PAUSE_S = 24 * 3600

/**
 * Counts one message more and gives its number, or null where the sender pauses or the last 24 hours are full.
 * The row is held until the commit, so two processes never count the same number.
 */
export function takeQuota(tx: Tx, ctx: Context, sender: Sender): Promise<number | null> {
  const at = now(ctx.clock)
  const cutoff = new Date(at.getTime() - WINDOW_MS)
  return countMessage(tx, sender, { at, cutoff, limit: ctx.config.daily_messages })
}

/** Thrown inside a message's transaction when it has no room; what follows is not part of that transaction. */
export class OverQuota extends Error {
  constructor(readonly sender: Sender) {
    super('over the daily quota')
  }
}

/**
 * Starts a pause, or doubles the one that runs; gives the refusal with the exact time to wait. It commits by itself,
 * because the refused request does not.
 */
export async function refuseOverQuota(ctx: Context, pool: AutocommitPool, sender: Sender): Promise<Problem> {
  const at = now(ctx.clock)
  const limits = { first_s: FIRST_PAUSE_S, longest_s: LONGEST_PAUSE_S, limit: ctx.config.daily_messages }
  const pause = await pauseSender(pool, sender, { at, ...limits })
  const ends = [pause?.paused_until, pause?.room_from].map((date) => date?.getTime() ?? 0)
  const wait_s = Math.max(1, Math.ceil((Math.max(...ends) - at.getTime()) / 1000))
  const message = `at most ${limits.limit} messages of one sender in a chat within 24 hours: try again in ${wait_s} s`
  return new Problem(429, 'rate_limit', { message }, { 'Retry-After': String(wait_s) })
}
