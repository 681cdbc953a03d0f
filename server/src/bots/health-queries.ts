import { type AutocommitPool, writeRows } from '../platform/db/index.js'
import { HOUR_MS } from '../platform/time.js'

export const PAUSED_AFTER_FAILURES = 100
export const PAUSED_AFTER_MS = HOUR_MS

/** What a run of attempts says of a bot's address: failures in a row; a success resets the count. */
export interface Health {
  bot_id: number
  failures: number
  succeeded: boolean
}

/** Counts failures of webhook addresses; returns the bots whose address has failed long enough to be paused. */
export async function recordHealth(
  pool: AutocommitPool,
  seen: readonly Health[],
  now: Date,
): Promise<number[]> {
  if (seen.length === 0) return []
  const noted = await writeRows<{ user_id: number; failing: boolean }>(
    pool,
    `with seen as materialized (
       select * from unnest($1::bigint[], $2::int[], $3::boolean[]) as seen (bot_id, failures, succeeded)
       order by bot_id
     )
     update bots set
       failures = case when seen.succeeded then seen.failures else bots.failures + seen.failures end,
       failing_since = case when seen.failures = 0 then null
         when seen.succeeded then $4 else coalesce(bots.failing_since, $4) end
     from seen where bots.user_id = seen.bot_id
     returning bots.user_id,
       bots.paused_at is null and bots.failures >= ${PAUSED_AFTER_FAILURES} and bots.failing_since <= $5 as failing`,
    [
      seen.map((one) => one.bot_id),
      seen.map((one) => one.failures),
      seen.map((one) => one.succeeded),
      now,
      new Date(now.getTime() - PAUSED_AFTER_MS),
    ],
  )
  return noted.filter(({ failing }) => failing).map(({ user_id }) => user_id)
}
