import { IMPORT_FAULTS } from '@parley/contract'
import { ArchiveError, openAnySource, type ReadOptions, readKey } from '@parley/imports'
import { actingFor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { NoSuchObject } from '../platform/storage/storage.js'
import { checkImport } from './check.js'
import { type ImportJob, RETRIES_MS } from './jobs.js'
import { archiveOf, withArchive } from './order-archive.js'
import { findOrder, type OrderRow, updateOrder } from './order-queries.js'
import { pace } from './pace.js'
import { findOpenImport } from './queries.js'
import { type ImportReport, reportOf } from './report.js'
import { type ImportCall, runImport } from './run.js'
import { ImportError, type Mapping } from './run-state.js'
import type { Progress } from './stage.js'
import { undoImport } from './undo.js'

const TOLD_EVERY_MS = 1000
const LOGGED_EVERY_MS = 10_000

/** Notes how far it is, once a second, and logs it now and then. */
function tell(ctx: Context, id: number): (progress: Progress) => void {
  const paced = pace()
  let told = 0
  let logged = 0
  return (progress) => {
    const at = performance.now()
    const known = paced(progress)
    if (at - told < TOLD_EVERY_MS) return
    told = at
    if (at - logged >= LOGGED_EVERY_MS) {
      logged = at
      ctx.log.info({ order_id: id, ...known }, 'importing')
    }
    updateOrder(ctx.autocommit, id, { progress: JSON.stringify(known) }).catch((error: unknown) =>
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
    const key = order.public_key === null ? null : readKey(order.public_key, 'public')
    const source = await openAnySource(path, order.workspace, options, key)
    // The name that was given, not the copy: an order that is carried out again goes on with the same import.
    const archive = archiveOf(order)
    const mapping = order.mapping as Mapping
    const call: ImportCall = { archive, path, options, mapping, onProgress: tell(ctx, order.id) }
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
  return error instanceof NoSuchObject ? IMPORT_FAULTS.upload_gone : undefined
}

/** The import that an order has begun and not ended: it can be run again or undone. */
async function begunBy(ctx: Context, order: OrderRow): Promise<number | null> {
  if (order.kind !== 'run') return order.import_id
  const open = await findOpenImport(ctx.db)
  return open?.archive === archiveOf(order) ? open.id : null
}

/** Carries out an order, and notes how it ended. */
export async function runOrder(ctx: Context, { payload, attempts }: ImportJob) {
  const order = await findOrder(ctx.db, payload.order_id)
  if (!order || order.state === 'done' || order.state === 'failed') return
  await updateOrder(ctx.autocommit, order.id, { state: 'running', error: null })
  try {
    const report = await carryOut(ctx, order)
    const import_id = order.kind === 'check' ? null : report.id
    const done = { state: 'done', report: JSON.stringify(report), import_id, progress: null }
    await updateOrder(ctx.autocommit, order.id, { ...done, finished_at: now(ctx.clock) })
  } catch (error) {
    const fault = faultOf(error)
    if (fault === undefined && attempts <= RETRIES_MS.length) {
      await updateOrder(ctx.autocommit, order.id, { state: 'waiting', error: IMPORT_FAULTS.retrying })
      throw error
    }
    ctx.log.warn({ err: error, order_id: order.id }, 'import failed')
    const failed = {
      state: 'failed',
      error: fault ?? IMPORT_FAULTS.given_up,
      import_id: await begunBy(ctx, order),
    }
    await updateOrder(ctx.autocommit, order.id, { ...failed, progress: null, finished_at: now(ctx.clock) })
  }
}
