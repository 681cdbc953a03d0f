import { createHash } from 'node:crypto'
import type { BotRecord, PersonRecord, ReadOptions, Remark } from '@parley/imports'
import { remark } from '@parley/imports'
import { mediaTypeOf } from '../platform/storage/media-type.js'
import { fitImage } from '../users/fit-image.js'
import type { RecordRow } from './queries.js'
import type { Run } from './run-state.js'

/** As much as an upload of a picture may have. */
const BYTES_AT_MOST = 10 * 1024 * 1024

/** Names of stored pictures by the ids of the source. */
export interface Pictures {
  names: ReadonlyMap<string, string>
  remarks: Remark[]
}

type Row = RecordRow<PersonRecord | BotRecord>

async function readBytes(run: Run, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const stream = await run.source.openFile(path)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BYTES_AT_MOST) throw new RangeError('the picture is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The same picture of the same person gets the same name again, so that a run which was broken off leaves no second one. */
async function storePicture(run: Run, { source_id }: Row, path: string): Promise<string> {
  const { data, extension } = await fitImage(run.ctx.pictures, run.row.user_id, await readBytes(run, path))
  const of = `${run.row.source} ${run.row.workspace} ${source_id} `
  const name = `${createHash('sha256').update(of).update(data).digest('hex').slice(0, 40)}.${extension}`
  if (!run.dry) await run.ctx.storage.write(`avatars/${name}`, data, mediaTypeOf(name))
  return name
}

/** Copies the pictures of these people and bots, scaled like those that people upload. */
export async function storePictures(run: Run, rows: readonly Row[]): Promise<Pictures> {
  const names = new Map<string, string>()
  const remarks: Remark[] = []
  if ((run.row.options as ReadOptions).without_files) return { names, remarks }
  for (const row of rows) {
    const { body, source_id } = row
    if (!body.picture) continue
    try {
      names.set(source_id, await storePicture(run, row, body.picture))
    } catch {
      remarks.push(remark('warning', body.kind, 'has a picture that cannot be read', source_id))
    }
  }
  return { names, remarks }
}
