import type { JobKind, JobPayload } from '@parley/contract'
import type { Clock } from '../clock.js'
import { now } from '../clock.js'
import type { Tx } from '../db/index.js'
import { ringAfterCommit } from '../db/transaction.js'
import { insertJob } from './queries.js'

export interface JobOptions {
  run_at?: Date
  /** Where given, at most one waiting job has it; a second one is dropped. */
  key?: string
}

/** Leaves work for later; it is there when this transaction commits, and not otherwise. */
export async function enqueue<J extends JobKind>(
  tx: Tx,
  ctx: { clock: Clock },
  { kind }: J,
  payload: JobPayload<J>,
  { run_at, key }: JobOptions = {},
) {
  const at = now(ctx.clock)
  const job = {
    kind,
    key: key ?? null,
    payload: JSON.stringify(payload),
    run_at: run_at ?? at,
    created_at: at,
  }
  await insertJob(tx, job)
  ringAfterCommit(tx, 'jobs')
}
