import type { Readable } from 'node:stream'
import { cleanName } from '../file-name.js'
import { asObject, filled, type JsonObject } from '../json.js'
import { type FileRecord, type ImportRecord, type Remark, remark } from '../records.js'
import type { ChunkIndex } from './chunks.js'
import { idOf, timeOf } from './documents.js'
import { Damage, type Dump } from './dump.js'
import type { Rooms } from './rooms.js'

const FIELDS = new Set([
  '_id',
  'name',
  'size',
  'type',
  'rid',
  'userId',
  'store',
  'complete',
  'description',
  'uploadedAt',
  'typeGroup',
  'content',
])

/** Paths of records that lie in GridFS; others are names of entries. */
const GRIDFS = 'gridfs:'

const gridFsPath = ({ bucket }: ChunkIndex, id: string) => `${GRIDFS}${bucket}:${id}`

/** Opens a path, of an entry of the archive or of a file in one of these buckets. */
export async function openPath(
  { archive }: Dump,
  buckets: readonly ChunkIndex[],
  path: string,
): Promise<Readable> {
  for (const chunks of buckets) {
    const start = gridFsPath(chunks, '')
    if (path.startsWith(start)) return chunks.open(path.slice(start.length))
  }
  return archive.open(path)
}

/** Where the bytes of an upload lie: in GridFS or beside the database; null where they are not in the archive. */
export function placeOf(
  { store, size }: { store: unknown; size: number | null },
  id: string,
  chunks: ChunkIndex,
  beside: (id: string) => string | null,
): string | null {
  if (!isInGridFs(store)) return beside(id)
  return chunks.holds(id, size) ? gridFsPath(chunks, id) : null
}

const isInGridFs = (store: unknown) => filled(store)?.startsWith('GridFS') ?? false

/** Uploads that were told, with what their sender wrote below them. */
export type Uploads = Map<string, string | null>

/** Files that lie beside the database, by the id that their name begins with. */
export function filesBeside({ archive }: Dump): (id: string) => string | null {
  const byId = new Map<string, string>()
  for (const name of archive.entries.keys()) {
    const last = name.slice(name.lastIndexOf('/') + 1)
    if (/\.(bson|metadata\.json)(\.gz)?$/.test(last)) continue
    byId.set(last, name)
    const dot = last.indexOf('.')
    if (dot > 0) byId.set(last.slice(0, dot), name)
  }
  return (id) => byId.get(id) ?? null
}

/** Previews that the server made of pictures. */
export function isThumbnail(file: JsonObject): boolean {
  return file.typeGroup === 'thumb' || filled(file.name)?.startsWith('thumb-') === true
}

export async function* readUploads(
  dump: Dump,
  chunks: ChunkIndex,
  { rooms, skipped }: Rooms,
): AsyncGenerator<ImportRecord | Remark, Uploads> {
  const uploads: Uploads = new Map()
  const beside = filesBeside(dump)
  for await (const upload of dump.read('rocketchat_uploads', FIELDS, 'file')) {
    const id = upload instanceof Damage ? null : idOf(upload._id)
    if (upload instanceof Damage) yield upload.remark
    else if (id === null) yield remark('skipped', 'file', 'has no id', '')
    else if (isThumbnail(upload)) yield remark('skipped', 'file', 'is a preview of a picture', id)
    else {
      const room = idOf(upload.rid) ?? ''
      if (!rooms.has(room) || skipped.has(room))
        yield remark('skipped', 'file', 'is of a chat that was skipped', id)
      else if (filled(asObject(upload.content).algorithm)) yield remark('skipped', 'file', 'is encrypted', id)
      else {
        uploads.set(id, filled(upload.description))
        yield fileOf(upload, id, chunks, beside)
      }
    }
  }
  return uploads
}

function fileOf(
  upload: JsonObject,
  id: string,
  chunks: ChunkIndex,
  beside: (id: string) => string | null,
): FileRecord {
  const size = Number(upload.size)
  const known = Number.isSafeInteger(size) && size >= 0 ? size : null
  const path = placeOf({ store: upload.store, size: known }, id, chunks, beside)
  const whole = upload.complete !== false
  return {
    kind: 'file',
    id,
    name: cleanName(filled(upload.name) ?? id),
    media_type: filled(upload.type),
    size: known,
    owner_id: idOf(upload.userId),
    created_at: timeOf(upload.uploadedAt),
    path: whole ? path : null,
    missing: whole ? (path ? null : missing(isInGridFs(upload.store))) : 'was never uploaded whole',
  }
}

function missing(inside: boolean): string {
  return inside ? 'has parts that are not in the dump' : 'lies in a store that is not in the archive'
}

/** A file that a message names and no upload describes. */
export function unknownFile(file: JsonObject, id: string, owner_id: string, at: number): FileRecord {
  return {
    kind: 'file',
    id,
    name: cleanName(filled(file.name) ?? id),
    media_type: filled(file.type),
    size: null,
    owner_id,
    created_at: at,
    path: null,
    missing: 'is not in the archive',
  }
}
