import { createHash, randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FileRecord, remark } from '@parley/imports'
import { sizeOf } from '../files/measure.js'
import { upsertLooseObjects } from '../files/queries.js'
import type { Tx } from '../platform/db/index.js'
import { mediaTypeOf } from '../platform/storage/media-type.js'
import { FetchError, type Fetching, fetchFile, mayFetch } from './fetch-file.js'
import { findObjects, insertObjects, type StoredObject } from './object-queries.js'
import type { RecordRow } from './queries.js'
import { type Outcome, outcome, type Phase, type Run } from './run-state.js'

type Row = RecordRow<FileRecord>

/** Objects that no message took within this time are erased like any upload that was never used. */
const UNUSED_MS = 14 * 86_400_000
const HEAD_BYTES = 64 * 1024
const AT_ONCE = 16

/** Copies the bytes into the store while counting and hashing them. Nothing is held in memory but their head. */
export async function storeFile(run: Run, body: FileRecord, key: string): Promise<StoredObject> {
  if (run.dry) return pretend(body)
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let size = 0
  const through = new PassThrough()
  through.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    if (size < HEAD_BYTES) head.push(chunk)
    size += chunk.length
  })
  const bytes = new PassThrough()
  const source = await openBytes(run, body)
  const [read, written] = await Promise.allSettled([
    pipeline(source, through, bytes),
    run.ctx.storage.write(key, bytes, mediaTypeOf(body.name) ?? 'application/octet-stream'),
  ])
  // What was wrong with the source ends the writing as well: the source says why.
  if (read.status === 'rejected') throw read.reason
  if (written.status === 'rejected') throw written.reason
  const picture = await sizeOf(Buffer.concat(head)).catch(() => undefined)
  return {
    source_id: body.id,
    key,
    name: body.name,
    size,
    sha256: hash.digest('hex'),
    width: picture?.width ?? null,
    height: picture?.height ?? null,
  }
}

/** Keys for these files, noted before they are used: what a killed run leaves in the store is erased. */
export async function takeKeys(run: Run, files: readonly FileRecord[]): Promise<string[]> {
  const keys = files.map(({ name }) => `attaches/files/${run.row.user_id}/${randomUUID()}/${name}`)
  if (!run.dry && keys.length > 0)
    await upsertLooseObjects(run.ctx.autocommit, keys, new Date(run.ctx.clock.now() + UNUSED_MS))
  return keys
}

async function openBytes(run: Run, file: FileRecord): Promise<Readable> {
  if (file.path) return run.source.openFile(file.path)
  return Readable.from(fetchFile(run.ctx, run.fetching as Fetching, file), { objectMode: false })
}

const hasBytes = (run: Run, file: FileRecord) => Boolean(file.path) || mayFetch(run.fetching, file)

/** What a file would be, by what the archive says of it. */
function pretend({ id, name, size }: FileRecord): StoredObject {
  const sha256 = createHash('sha256').update(id).digest('hex')
  return { source_id: id, key: `dry/${id}`, name, size: size ?? 0, sha256, width: null, height: null }
}

type Stored = Map<string, StoredObject | { failed: string }>

function failureOf(error: Error): { failed: string } {
  return { failed: error instanceof FetchError ? error.message : 'cannot be read' }
}

async function prepare(run: Run, rows: readonly Row[]): Promise<Stored> {
  const stored: Stored = new Map()
  const known = await findObjects(
    run.ctx.db,
    run.row,
    rows.map(({ source_id }) => source_id),
  )
  const waiting = rows.filter(
    ({ body, source_id, repeated }) => hasBytes(run, body) && !repeated && !known.has(source_id),
  )
  const keys = await takeKeys(
    run,
    waiting.map(({ body }) => body),
  )
  const queue = waiting.entries()
  const next = async () => {
    for (const [n, { source_id, body }] of queue)
      stored.set(source_id, await storeFile(run, body, keys[n] as string).catch(failureOf))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  return stored
}

/** The first of those with one content stands for all: the others are erased like uploads that were never used. */
function sharingKeys(objects: readonly StoredObject[]): StoredObject[] {
  const keys = new Map<string, string>()
  for (const { sha256, key } of objects) if (!keys.has(sha256)) keys.set(sha256, key)
  return objects.map((object) => ({ ...object, key: keys.get(object.sha256) ?? object.key }))
}

async function writeFiles(tx: Tx, run: Run, rows: readonly Row[], stored: Stored): Promise<Outcome> {
  const result = outcome()
  const objects: StoredObject[] = []
  for (const { body, source_id } of rows) {
    const object = stored.get(source_id)
    if (object && 'key' in object) {
      objects.push(object)
      if (body.size !== null && body.size !== object.size)
        result.remarks.push(remark('warning', 'file', 'has another size than the archive says', source_id))
    } else if (object) result.skipped.push(remark('skipped', 'file', object.failed, source_id))
    else if (hasBytes(run, body)) result.merged += 1
    else result.skipped.push(remark('skipped', 'file', body.missing ?? 'is not in the archive', source_id))
  }
  await insertObjects(tx, run.row, sharingKeys(objects))
  result.written = objects.length
  return result
}

export const files: Phase<FileRecord, Stored> = { kind: 'file', batch: 200, prepare, write: writeFiles }
