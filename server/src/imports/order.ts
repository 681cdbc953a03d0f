import { type ImportOrder, type ImportOrderRequest, runImportJob } from '@parley/contract'
import { NO_UPLOAD } from '../files/check-files.js'
import { isOwnKey } from '../files/rules.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { Problem } from '../platform/problem.js'
import { findArchive } from './order-archive.js'
import { findOrder, insertOrder, type OrderRow } from './order-queries.js'

type Request = ImportOrderRequest['import']

const NO_ARCHIVE = 'the folder of imports, PARLEY_IMPORT_DIR, holds no such archive'

/** One archive, that is there and may be read. */
async function checkArchive(ctx: Context, actor: Actor, { path, file_key }: Request) {
  const key = file_key === undefined ? 'path' : 'file_key'
  if (!path && !file_key) throw new Problem(422, 'blank', { key: 'path', message: BLANK })
  if (path && file_key)
    throw new Problem(422, 'invalid', {
      key: 'file_key',
      value: file_key,
      message: 'give it or a path, not both',
    })
  const there = file_key
    ? isOwnKey(actor, file_key) && (await ctx.storage.stat(file_key))
    : await findArchive(ctx, path as string)
  const message = file_key ? NO_UPLOAD : NO_ARCHIVE
  if (!there) throw new Problem(422, 'not_found', { key, value: file_key ?? path, message })
}

const micros = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time) * 1000)

/** Times as the readers take them; what was not given is left out. */
function readOptions({ since, until, ...others }: NonNullable<Request['options']>) {
  const given = { ...others, since: micros(since), until: micros(until) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Orders a check or a run; a job does it. */
export async function orderImport(ctx: Context, actor: Actor, request: Request): Promise<ImportOrder> {
  await checkArchive(ctx, actor, request)
  const { kind, path = null, file_key = null, workspace = null, options = {}, mapping = {} } = request
  return insert(ctx, actor, {
    kind,
    path,
    file_key,
    workspace,
    options: JSON.stringify(readOptions(options)) as never,
    mapping: JSON.stringify(mapping) as never,
  })
}

/** Orders that what an earlier order imported is taken out again. */
export async function undoImport(ctx: Context, actor: Actor, id: number): Promise<ImportOrder> {
  const order = await findOrder(ctx.db, id)
  if (!order) throw new Problem(404, 'not_found', { key: 'id', value: id })
  if (order.kind !== 'run' || order.import_id === null)
    throw new Problem(422, 'invalid', {
      key: 'id',
      value: id,
      message: 'is no run that has imported anything',
    })
  const { path, file_key, import_id } = order
  return insert(ctx, actor, { kind: 'undo', path, file_key, import_id })
}

type NewOrder = Omit<Parameters<typeof insertOrder>[1], 'user_id' | 'created_at'>

function insert(ctx: Context, actor: Actor, order: NewOrder): Promise<ImportOrder> {
  return transaction(ctx, async (tx) => {
    const row = await insertOrder(tx, { ...order, user_id: actor.user_id, created_at: now(ctx.clock) })
    await enqueue(tx, ctx, runImportJob, { order_id: row.id })
    return presentOrder(row)
  })
}

export function presentOrder(row: OrderRow): ImportOrder {
  return {
    id: row.id,
    kind: row.kind as ImportOrder['kind'],
    state: row.state as ImportOrder['state'],
    archive: row.path ?? row.file_key ?? '',
    import_id: row.import_id,
    progress: row.progress as ImportOrder['progress'],
    error: row.error,
    report: row.report as ImportOrder['report'],
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
