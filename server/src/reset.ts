import { rm } from 'node:fs/promises'
import { filesFolder, outboxFolder } from './open-context.js'
import type { MovableClock } from './platform/clock.js'
import { restoreBaseline } from './platform/db/baseline.js'
import type { Autocommit } from './platform/db/index.js'
import type { RunningServer } from './serve.js'

const GRACE_MS = 5000

/**
 * Puts a running server back to its baseline: rows, files, mail, clock, limits and everything kept in memory.
 * Background work is stopped; the caller starts it again where it should run. The rows come back through `db`.
 */
export async function resetServer(
  { ctx, workers }: RunningServer,
  clock: MovableClock,
  db: Autocommit = ctx.autocommit,
): Promise<void> {
  for (const worker of workers) await worker.stop(GRACE_MS)
  // Before the rows go, so that nothing is under way; and after, because requests may have read the old rows meanwhile.
  await ctx.resets.run()
  await restoreBaseline(db)
  await ctx.resets.run()
  for (const folder of [outboxFolder(ctx.config), filesFolder(ctx.config)]) {
    await rm(folder, { recursive: true, force: true })
  }
  clock.reset()
}
