import {
  type ImportOrder,
  type ImportOrderRequest,
  type ImportUndoPreview,
  importFaultOf,
  importLostOf,
  importReasonOf,
  runImportJob,
} from '@parley/contract'
import { ArchiveError, readKey } from '@parley/imports'
import { NO_UPLOAD } from '../files/check-files.js'
import { isOwnKey } from '../files/rules.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { Problem } from '../platform/problem.js'
import { findLostRoom } from './mapping.js'
import { archiveOf, findArchive } from './order-archive.js'
import { findOrder, insertOrder, type OrderRow } from './order-queries.js'
import type { ImportReport } from './report.js'
import { countMade, listUsedChats } from './undo-queries.js'

type Request = ImportOrderRequest['import']

const NO_ARCHIVE = 'the folder of imports, PARLEY_IMPORT_DIR, holds no such archive'
const NO_ROOM = 'no conversation or channel here has this id'
const ONE_OF = 'give one of path, file_key, file_keys and order_id'

function notFound(key: string, value: unknown, message?: string): Problem {
  return new Problem(422, 'not_found', { key, value, ...(message === undefined ? {} : { message }) })
}

async function checkUploads(ctx: Context, actor: Actor, key: string, uploads: readonly string[]) {
  const lost = await findLost(ctx, actor, uploads)
  if (lost !== undefined) throw notFound(key, lost, NO_UPLOAD)
}

/** The first upload that is not there or not the caller's. */
async function findLost(ctx: Context, actor: Actor, uploads: readonly string[]): Promise<string | undefined> {
  for (const key of uploads) if (!isOwnKey(actor, key) || !(await ctx.storage.stat(key))) return key
  return undefined
}

/** One archive, that is there and may be read. */
async function checkArchive(ctx: Context, actor: Actor, { path, file_key, file_keys, order_id }: Request) {
  const given = [path, file_key, file_keys, order_id].filter((value) => value !== undefined && value !== '')
  if (given.length === 0) throw new Problem(422, 'blank', { key: 'path', message: BLANK })
  if (given.length > 1) throw new Problem(422, 'invalid', { key: 'path', value: path, message: ONE_OF })
  if (file_key) await checkUploads(ctx, actor, 'file_key', [file_key])
  if (file_keys) await checkUploads(ctx, actor, 'file_keys', file_keys)
  if (path && !(await findArchive(ctx, path))) throw notFound('path', path, NO_ARCHIVE)
}

const NO_KEY = 'must be an Ed25519 public key in PEM'

/** A key as it is kept: its public half alone, whatever was given. */
function checkKey(pem: string | undefined): string | null {
  if (pem === undefined || pem.trim() === '') return null
  try {
    return readKey(pem, 'public').export({ type: 'spki', format: 'pem' }).toString()
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    // It may be a private key: it is not shown again.
    throw new Problem(422, 'invalid', { key: 'public_key', value: null, message: NO_KEY })
  }
}

const micros = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time) * 1000)

/** Times as the readers take them; what was not given is left out. */
function readOptions({ since, until, ...others }: NonNullable<Request['options']>) {
  const given = { ...others, since: micros(since), until: micros(until) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** The archive and the choices of an earlier order. */
async function choicesOf(ctx: Context, orderId: number): Promise<Choices> {
  const order = await findOrder(ctx.db, orderId)
  if (!order || order.kind === 'undo') throw notFound('order_id', orderId)
  const { path, file_key, file_keys, workspace, public_key, options, mapping } = order
  return {
    path,
    file_key,
    file_keys,
    workspace,
    public_key,
    options: JSON.stringify(options),
    mapping: JSON.stringify(mapping),
  }
}

/** Orders a check or a run; a job does it. */
export async function orderImport(ctx: Context, actor: Actor, request: Request): Promise<ImportOrder> {
  await checkArchive(ctx, actor, request)
  const { kind, path = null, file_key = null, file_keys = null, order_id } = request
  if (order_id !== undefined) return insert(ctx, actor, { kind, ...(await choicesOf(ctx, order_id)) })
  const { workspace = null, options = {}, mapping = {} } = request
  const lost = await findLostRoom(ctx.db, mapping)
  if (lost) throw notFound(`mapping.chats.${lost.source_id}`, lost.id, NO_ROOM)
  return insert(ctx, actor, {
    kind,
    path,
    file_key,
    file_keys,
    workspace,
    public_key: checkKey(request.public_key),
    options: JSON.stringify(readOptions(options)),
    mapping: JSON.stringify(mapping),
  })
}

/** An order that has imported something. */
async function findRun(ctx: Context, id: number) {
  const order = await findOrder(ctx.db, id)
  if (!order) throw new Problem(404, 'not_found', { key: 'id', value: id })
  if (order.kind !== 'run' || order.import_id === null)
    throw new Problem(422, 'invalid', {
      key: 'id',
      value: id,
      message: 'is no run that has imported anything',
    })
  return { ...order, import_id: order.import_id }
}

/** Orders that what an earlier order imported is taken out again. */
export async function undoImport(ctx: Context, actor: Actor, id: number): Promise<ImportOrder> {
  const { path, file_key, file_keys, import_id } = await findRun(ctx, id)
  return insert(ctx, actor, { kind: 'undo', path, file_key, file_keys, import_id })
}

export async function previewUndo(ctx: Context, id: number): Promise<ImportUndoPreview> {
  const { import_id } = await findRun(ctx, id)
  return { counts: await countMade(ctx.db, import_id), used_chats: await listUsedChats(ctx.db, import_id) }
}

type NewOrder = Omit<Parameters<typeof insertOrder>[1], 'user_id' | 'created_at'>
type Choices = Omit<NewOrder, 'kind'>

function insert(ctx: Context, actor: Actor, order: NewOrder): Promise<ImportOrder> {
  return transaction(ctx, async (tx) => {
    const row = await insertOrder(tx, { ...order, user_id: actor.user_id, created_at: now(ctx.clock) })
    await enqueue(tx, ctx, runImportJob, { order_id: row.id })
    return presentOrder(row)
  })
}

function presentReport(report: ImportReport): NonNullable<ImportOrder['report']> {
  const remarks = report.remarks.map((remark) => ({ ...remark, ...importReasonOf(remark.reason) }))
  const lost_codes = report.lost.map((text) => importLostOf(text).code)
  // Reports of earlier versions have less.
  const {
    estimate = null,
    archive_sha256 = null,
    user_id = null,
    options = {},
  } = report as Partial<ImportReport>
  return {
    ...report,
    estimate,
    archive_sha256,
    user_id,
    options,
    remarks,
    lost: [...report.lost],
    lost_codes,
  }
}

export function presentOrder(row: OrderRow): ImportOrder {
  const { code, detail } = importFaultOf(row.error ?? '')
  return {
    id: row.id,
    kind: row.kind as ImportOrder['kind'],
    state: row.state as ImportOrder['state'],
    archive: archiveOf(row),
    import_id: row.import_id,
    progress: row.progress as ImportOrder['progress'],
    error: row.error,
    error_code: code,
    error_detail: detail,
    report: row.report && presentReport(row.report as ImportReport),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
