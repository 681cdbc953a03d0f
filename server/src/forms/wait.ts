import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import type { Bell } from '../platform/events/bell.js'
import { findSubmit, type SubmitRow, settleSubmit } from './queries.js'

/** The bell may be missed, so the row is looked at this often anyway; and never more often than the second figure. */
const LOOK_EVERY_MS = 250
const LOOK_AT_MOST_EVERY_MS = 25

function ringOrTime(bell: Bell, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      unhook()
      resolve()
    }
    const timer = setTimeout(done, ms)
    const unhook = bell.on('answers', done)
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Waits until an attempt is settled by the process that receives the bot's answer. The row is all they
 * share, and nothing of the database is held meanwhile. A try that is still open at its end is settled as failed.
 */
export async function waitForAnswer(ctx: Context, submitId: string): Promise<SubmitRow> {
  const began = performance.now()
  for (;;) {
    const row = await findSubmit(ctx.db, submitId)
    if (row.state !== 'waiting') return row
    const allowed_ms = row.deadline_at.getTime() - row.created_at.getTime()
    // The clock of the workspace may be stopped or ahead; the person who waits needs real time.
    const left_ms = Math.min(
      row.deadline_at.getTime() - ctx.clock.now(),
      began + allowed_ms - performance.now(),
    )
    if (left_ms <= 0) {
      const failed = await transaction(ctx, (tx) => settleSubmit(tx, submitId, { state: 'failed' }))
      return failed ?? findSubmit(ctx.db, submitId)
    }
    await Promise.all([
      pause(Math.min(left_ms, LOOK_AT_MOST_EVERY_MS)),
      ringOrTime(ctx.bell, Math.min(left_ms, LOOK_EVERY_MS)),
    ])
  }
}
