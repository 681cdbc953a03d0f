import { buildExportJob, eraseFilesJob, mailExportJob, notifyExportJob } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { notifyPerson } from '../platform/events/notice.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { assemble } from './assemble.js'
import { deleteParts, listPartKeys } from './part-queries.js'
import { type ExportRow, findExport, findTurn, lockExports, updateExport } from './queries.js'
import { Files, Overtaken } from './step.js'
import { stepChats } from './write-chats.js'
import { newKnown, stepDay } from './write-days.js'

const ERASED_AT_ONCE = 200

/** The parts have done their work. */
async function eraseParts(tx: Tx, ctx: Context, exportId: number) {
  for (let after = 0; ; ) {
    const page = await listPartKeys(tx, exportId, after, ERASED_AT_ONCE)
    if (page.length === 0) break
    await enqueue(tx, ctx, eraseFilesJob, { keys: page.map(({ key }) => key) })
    after = page.at(-1)?.number as number
  }
  await deleteParts(tx, exportId)
}

/** Marks an export as ready or failed, notifies the requester, and lets the next one start. */
async function finish(
  ctx: Context,
  row: ExportRow,
  outcome: { state: 'ready'; size: number } | { state: 'failed'; error: string },
) {
  await transaction(ctx, async (tx) => {
    await lockExports(tx)
    const done = await updateExport(tx, row, {
      ...outcome,
      finished_at: now(ctx.clock),
      open_entry: null,
    })
    if (!done) throw new Overtaken()
    await eraseParts(tx, ctx, row.id)
    const ready = outcome.state === 'ready'
    await notifyPerson(tx, ctx, row.user_id, {
      kind: ready ? 'export.ready' : 'export.failed',
      text: ready ? 'Your export is ready.' : 'Your export could not be made.',
      export_id: row.id,
      url: `${ctx.config.app_url}/full_exports/${row.id}`,
    })
    const payload = { export_id: row.id }
    await enqueue(tx, ctx, mailExportJob, payload)
    if (ready && row.webhook_url) await enqueue(tx, ctx, notifyExportJob, { ...payload, attempt: 1 })
    const next = await findTurn(tx)
    if (next !== undefined) await enqueue(tx, ctx, buildExportJob, { export_id: next })
  })
}

/** Whether it is this export's turn. The process that finishes the previous one looks for the next under the same lock. */
function isTurn(ctx: Context, id: number): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    await lockExports(tx)
    return (await findTurn(tx)) === id
  })
}

async function buildOn(ctx: Context, id: number) {
  const known = newKnown()
  for (;;) {
    const row = await findExport(ctx.db, id)
    if (row?.state !== 'building') return
    const files = new Files(row.open_entry as Files['entry'])
    // Reads go to a replica that has the steps before, where there is one.
    const step = { ctx: { ...ctx, ...(await ctx.replicas?.caughtUp()) }, row, files }
    if (row.phase === 'days') await stepDay(step, known)
    else if (row.phase === 'chats') await stepChats(step)
    else return finish(ctx, row, { state: 'ready', size: await assemble(ctx, row) })
  }
}

/** Builds an export from where it is to its end; safe to run again, and by two processes at once. */
export async function buildExport(ctx: Context, id: number) {
  if (!(await isTurn(ctx, id))) return
  try {
    await buildOn(ctx, id)
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error
    ctx.log.info({ export_id: id }, 'another process builds this export')
  }
}

/** Gives an export up. */
export async function failExport(ctx: Context, id: number, error: unknown) {
  const row = await findExport(ctx.db, id)
  if (row?.state === 'building')
    await finish(ctx, row, { state: 'failed', error: String(error).slice(0, 1000) })
}
