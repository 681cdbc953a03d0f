import { ArchiveError, openSource, type ReadOptions } from '@parley/imports'
import { actingFor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Job } from '../platform/jobs/queries.js'
import { NoSuchObject } from '../platform/storage/storage.js'
import { checkImport } from './check.js'
import { RETRIES_MS } from './jobs.js'
import { withArchive } from './order-archive.js'
import { findOrder, type OrderRow, updateOrder } from './order-queries.js'
import { type ImportReport, reportOf } from './report.js'
import { type ImportCall, runImport } from './run.js'
import { ImportError, type Mapping } from './run-state.js'
import type { Progress } from './stage.js'
import { undoImport } from './undo.js'

const TOLD_EVERY_MS = 1000

/** Notes how far it is, once a second. */
function tell(ctx: Context, id: number): (progress: Progress) => void {
  let told = 0
  return (progress) => {
    if (performance.now() - told < TOLD_EVERY_MS) return
    told = performance.now()
    updateOrder(ctx.autocommit, id, { progress: JSON.stringify(progress) }).catch((error: unknown) =>
      ctx.log.warn({ err: error, order_id: id }, 'progress of an import could not be noted'),
    )
  }
}

async function carryOut(ctx: Context, order: OrderRow): Promise<ImportReport> {
  const actor = actingFor(order.user_id, 'owner', ctx.config.plan)
  if (order.kind === 'undo')
    return reportOf(ctx.db, await undoImport(ctx, actor, order.import_id as number), [])
  return withArchive(ctx, order, async (path) => {
    const options = order.options as ReadOptions
    const source = await openSource(path, order.workspace, options)
    // The name that was given, not the copy: an order that is carried out again goes on with the same import.
    const archive = order.path ?? (order.file_key as string)
    const mapping = order.mapping as Mapping
    const call: ImportCall = { archive, options, mapping, onProgress: tell(ctx, order.id) }
    try {
      if (order.kind === 'check') return await checkImport(ctx, actor, source, call)
      return await reportOf(ctx.db, await runImport(ctx, actor, source, call), source.lost)
    } finally {
      await source.close()
    }
  })
}

/** What only another order can mend, as a sentence; undefined for what may pass. */
function faultOf(error: unknown): string | undefined {
  if (error instanceof ImportError) return error.message
  if (error instanceof ArchiveError) return `The archive cannot be imported: ${error.message}.`
  return error instanceof NoSuchObject ? 'The upload is not there any more.' : undefined
}

/** Carries out an order, and notes how it ended. */
export async function runOrder(ctx: Context, { payload, attempts }: Job<{ order_id: number }>) {
  const order = await findOrder(ctx.db, payload.order_id)
  if (!order || order.state === 'done' || order.state === 'failed') return
  await updateOrder(ctx.autocommit, order.id, { state: 'running' })
  try {
    const report = await carryOut(ctx, order)
    const import_id = order.kind === 'check' ? null : report.id
    const done = { state: 'done', report: JSON.stringify(report), import_id, progress: null }
    await updateOrder(ctx.autocommit, order.id, { ...done, finished_at: now(ctx.clock) })
  } catch (error) {
    const fault = faultOf(error)
    if (fault === undefined && attempts <= RETRIES_MS.length) throw error
    ctx.log.warn({ err: error, order_id: order.id }, 'import failed')
    const failed = { state: 'failed', error: fault ?? 'It failed: the log of the server says why.' }
    await updateOrder(ctx.autocommit, order.id, { ...failed, progress: null, finished_at: now(ctx.clock) })
  }
}
