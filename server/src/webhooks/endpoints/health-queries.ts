import type { Health } from '../../bots/health-queries.js'
import { PAUSED_AFTER_FAILURES, PAUSED_AFTER_MS } from '../../bots/health-queries.js'
import { type AutocommitPool, writeRows } from '../../platform/db/index.js'

/** Counts failures of an endpoint; true where it has failed long enough to be paused. */
export async function recordEndpointHealth(
  pool: AutocommitPool,
  endpointId: number,
  { failures, succeeded }: Pick<Health, 'failures' | 'succeeded'>,
  now: Date,
): Promise<boolean> {
  const [noted] = await writeRows<{ failing: boolean }>(
    pool,
    `update endpoints set
       failures = case when $3 then $2 else failures + $2 end,
       failing_since = case when $2 = 0 then null when $3 then $4 else coalesce(failing_since, $4) end
     where id = $1
     returning paused_at is null and failures >= ${PAUSED_AFTER_FAILURES} and failing_since <= $5 as failing`,
    [endpointId, failures, succeeded, now, new Date(now.getTime() - PAUSED_AFTER_MS)],
  )
  return noted?.failing ?? false
}
