import { rm } from 'node:fs/promises'
import { filesFolder, outboxFolder } from './open-context.js'
import type { MovableClock } from './platform/clock.js'
import { restoreBaseline } from './platform/db/baseline.js'
import type { RunningServer } from './serve.js'

const GRACE_MS = 5000

/**
 * Puts a running server back to its baseline: rows, files, mail, clock, limits and everything kept in memory.
 * Background work is stopped; the caller starts it again where it should run.
 */
export async function resetServer({ ctx, workers }: RunningServer, clock: MovableClock): Promise<void> {
  for (const worker of workers) await worker.stop(GRACE_MS)
  // Before the rows go, so that nothing is under way; and after, because requests may have read the old rows meanwhile.
  await ctx.resets.run()
  await restoreBaseline(ctx.autocommit)
  await ctx.resets.run()
  for (const folder of [outboxFolder(ctx.config), filesFolder(ctx.config)]) {
    await rm(folder, { recursive: true, force: true })
  }
  clock.reset()
}
