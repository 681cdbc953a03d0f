import type { Clock } from '../clock.js'
import { present } from '../clock.js'
import type { Tx } from '../db/index.js'
import { ringAfterCommit } from '../db/transaction.js'

export interface NewJob {
  /** `area.verb` */
  kind: string
  /** Ids, not contents: a job reads what it needs when it runs. */
  payload: object
  run_at?: Date
  /** Where given, at most one waiting job has it; a second one is dropped. */
  key?: string
}

/** Leaves work for later; it is there when this transaction commits, and not otherwise. */
export async function enqueue(tx: Tx, ctx: { clock: Clock }, job: NewJob) {
  const now = present(ctx.clock)
  await tx
    .insertInto('jobs')
    .values({
      kind: job.kind,
      key: job.key ?? null,
      payload: JSON.stringify(job.payload),
      run_at: job.run_at ?? now,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  ringAfterCommit(tx, 'jobs')
}
