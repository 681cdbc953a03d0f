import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { whileAlone } from './alone.js'
import { listTableBytes, sumFileBytes } from './count-queries.js'
import { type ImportReport, reportOf } from './report.js'
import { type ImportCall, runAlone } from './run.js'
import type { AnySource } from './run-state.js'

class RolledBack extends Error {}

type Sizes = Awaited<ReturnType<typeof listTableBytes>>

/** By how much the tables grew that the transaction wrote to: others grow and shrink (vacuum) meanwhile. */
function growthOf(before: Sizes, after: Sizes): number {
  const sizes = new Map(before.map(({ table, bytes }) => [table, bytes]))
  const written = after.filter(({ written }) => written)
  return written.reduce((sum, { table, bytes }) => sum + Math.max(0, bytes - (sizes.get(table) ?? 0)), 0)
}

/**
 * Does everything that a run would, in one transaction that is taken back, so that its numbers are those of the run.
 * Files are counted and not copied.
 */
export function checkImport(
  ctx: Context,
  actor: Actor,
  source: AnySource,
  call: ImportCall,
): Promise<ImportReport> {
  return whileAlone(ctx, () => checkAlone(ctx, actor, source, call))
}

async function checkAlone(
  ctx: Context,
  actor: Actor,
  source: AnySource,
  call: ImportCall,
): Promise<ImportReport> {
  let report: ImportReport | undefined
  try {
    await ctx.autocommit.transaction().execute(async (tx) => {
      const inside = { ...ctx, db: tx, tx, autocommit: tx }
      const [began, before] = [performance.now(), await listTableBytes(tx)]
      const row = await runAlone(inside, actor, source, { ...call, dry: true })
      const estimate = {
        seconds: Math.ceil((performance.now() - began) / 1000),
        file_bytes: await sumFileBytes(tx, row.id),
        database_bytes: growthOf(before, await listTableBytes(tx)),
      }
      const state = 'checked, nothing is written'
      report = { ...(await reportOf(tx, row, source.lost)), state, estimate }
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  return report as ImportReport
}
