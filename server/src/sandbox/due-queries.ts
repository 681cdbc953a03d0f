import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

/** What is due now, by the name of the worker that does it, and when the next thing is. */
export interface Due {
  relay: boolean
  jobs: boolean
  sending: boolean
  deliveries: boolean
  next_at: Date | null
}

/**
 * Asked before every step: to let idle workers look for themselves costs ten times as much. Housekeeping does not count,
 * nor what a paused bot waits for.
 */
export async function findDue(db: Db, now: Date): Promise<Due> {
  const [row] = await read(
    db,
    sql<Due>`
      with own_jobs as materialized (
        select run_at from jobs where failed_at is null and (key is null or key not like 'every:%')
      ), lanes as materialized (
        select lane.due_at, lane.worker_id from delivery_lanes lane
        join webhook_addresses address using (bot_id, endpoint_id)
        where address.paused_at is null and lane.due_at < 'infinity'
      )
      select exists (select from waiting_events) as relay,
        exists (select from own_jobs where run_at <= ${now}) as jobs,
        exists (select from drafts where due_at <= ${now}) as sending,
        exists (select from lanes where due_at <= ${now} or worker_id is not null) as deliveries,
        least(
          (select min(run_at) from own_jobs where run_at > ${now}),
          (select min(due_at) from drafts where due_at > ${now}),
          (select min(due_at) from lanes where due_at > ${now} and worker_id is null)) as next_at`,
  )
  return row as Due
}
