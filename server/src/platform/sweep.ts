import type { Context } from './context.js'
import { deleteOldEvents } from './events/queries.js'
import { deleteOldApprovals } from './http/approval-queries.js'
import { KEPT_MS } from './http/idempotency.js'
import { deleteOldKeys } from './http/idempotency-queries.js'
import { deleteOldWrites } from './http/leash-queries.js'
import { DAY_MS } from './time.js'

const WEEK_MS = 7 * DAY_MS

/** Idempotency keys live a day; events are kept a week for readers that come back. */
export async function sweep({ autocommit, clock }: Pick<Context, 'autocommit' | 'clock'>) {
  const before = (age_ms: number) => new Date(clock.now() - age_ms)
  await deleteOldKeys(autocommit, before(KEPT_MS))
  await deleteOldWrites(autocommit, before(WEEK_MS))
  await deleteOldApprovals(autocommit, before(WEEK_MS))
  await deleteOldEvents(autocommit, before(WEEK_MS))
}
