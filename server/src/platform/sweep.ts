import type { Context } from './context.js'
import { KEPT_MS } from './http/idempotency.js'

const WEEK_MS = 7 * 24 * 3_600_000

/** Idempotency keys live a day; events are kept a week for readers that come back. */
export async function sweep({ autocommit, clock }: Pick<Context, 'autocommit' | 'clock'>) {
  const before = (age_ms: number) => new Date(clock.now() - age_ms)
  await autocommit.deleteFrom('idempotency_keys').where('created_at', '<', before(KEPT_MS)).execute()
  await autocommit
    .deleteFrom('events')
    .where('position', 'is not', null)
    .where('created_at', '<', before(WEEK_MS))
    .execute()
  await autocommit.deleteFrom('set_aside_events').where('set_aside_at', '<', before(WEEK_MS)).execute()
}
