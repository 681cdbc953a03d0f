import { sql } from 'kysely'
import type { Autocommit } from '../db/index.js'

export interface Job<Payload = object> {
  id: number
  kind: string
  payload: Payload
  attempts: number
  run_at: Date
}

interface NewJob {
  kind: string
  key: string | null
  /** JSON text. */
  payload: string
  run_at: Date
  created_at: Date
}

/** Adds a job, unless one with its key waits already. */
export async function insertJob(db: Autocommit, job: NewJob) {
  await db
    .insertInto('jobs')
    .values(job)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** Takes due jobs of these kinds and leases them; those that another process holds are skipped. */
export async function claimJobs(
  db: Autocommit,
  { kinds, now, lease_s, count }: { kinds: string[]; now: Date; lease_s: number; count: number },
): Promise<Job[]> {
  const { rows } = await sql<Job>`
    update jobs set attempts = attempts + 1, locked_until = clock_timestamp() + make_interval(secs => ${lease_s})
    where id = any(array(
      select id from jobs
      where failed_at is null and run_at <= ${now} and kind = any(${kinds})
        and (locked_until is null or locked_until < clock_timestamp())
      order by run_at, id limit ${count} for update skip locked))
    returning id, kind, payload, attempts, run_at`.execute(db)
  return rows
}

export async function renewLeases(db: Autocommit, ids: number[], lease_s: number) {
  await sql`update jobs set locked_until = clock_timestamp() + make_interval(secs => ${lease_s})
    where id = any(${ids})`.execute(db)
}

export async function deleteJob(db: Autocommit, id: number) {
  await db.deleteFrom('jobs').where('id', '=', id).execute()
}

export async function deleteKeyedJob(db: Autocommit, key: string) {
  await db.deleteFrom('jobs').where('key', '=', key).execute()
}

/** Puts a recurring job that ran back for its next run. */
export async function rescheduleJob(db: Autocommit, id: number, run_at: Date) {
  await db
    .updateTable('jobs')
    .set({ run_at, attempts: 0, locked_until: null, last_error: null })
    .where('id', '=', id)
    .execute()
}

/** Puts a job back for a retry, or keeps it as failed. */
export async function putBackJob(
  db: Autocommit,
  id: number,
  change: { run_at: Date } | { failed_at: Date },
  last_error: string,
) {
  await db
    .updateTable('jobs')
    .set({ ...change, locked_until: null, last_error })
    .where('id', '=', id)
    .execute()
}
