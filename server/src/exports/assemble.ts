import { Readable } from 'node:stream'
import { centralHeader, endOfArchive, localHeader } from '@parley/imports/write-zip'
import { upsertLooseObjects } from '../files/queries.js'
import type { Context } from '../platform/context.js'
import { listEntries, listPartKeys } from './part-queries.js'
import { KEPT_MS } from './present.js'
import type { ExportRow } from './queries.js'

const PAGE = 500

export function archiveKey(exportId: number): string {
  return `exports/${exportId}/archive.zip`
}

async function* entriesOf(ctx: Context, { id }: ExportRow) {
  for (let after = 0; ; ) {
    const page = await listEntries(ctx.db, id, after, PAGE)
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.number as number
  }
}

async function* bytesOf(ctx: Context, { id }: ExportRow): AsyncGenerator<Buffer> {
  for (let after = 0; ; ) {
    const page = await listPartKeys(ctx.db, id, after, PAGE)
    for (const { key } of page) yield* await ctx.storage.read(key)
    if (page.length < PAGE) return
    after = page.at(-1)?.number as number
  }
}

/** Gives the next so many bytes of a stream, and keeps what is left of a chunk for the next call. */
function cutter(source: AsyncGenerator<Buffer>) {
  let rest: Buffer = Buffer.alloc(0)
  return async function* take(count: number): AsyncGenerator<Buffer> {
    let left = count
    while (left > 0) {
      if (rest.length === 0) {
        const { value, done } = await source.next()
        if (done) throw new Error('the parts of an export are shorter than its files')
        rest = value
      }
      const chunk = rest.subarray(0, left)
      rest = rest.subarray(chunk.length)
      left -= chunk.length
      yield chunk
    }
  }
}

/** The whole archive as a stream: headers are known by now, and the compressed bytes are put in as they are. */
async function* archive(ctx: Context, row: ExportRow): AsyncGenerator<Buffer> {
  const source = bytesOf(ctx, row)
  const take = cutter(source)
  let offset = 0
  try {
    for await (const entry of entriesOf(ctx, row)) {
      const head = localHeader(entry)
      yield head
      yield* take(entry.compressed)
      offset += head.length + entry.compressed
    }
  } finally {
    // The last part is read to its last byte, but nobody asked whether there is more.
    await source.return(undefined)
  }
  const start = offset
  let [count, length, at] = [0, 0, 0]
  for await (const entry of entriesOf(ctx, row)) {
    const head = centralHeader(entry, at)
    yield head
    at += localHeader(entry).length + entry.compressed
    length += head.length
    count += 1
  }
  yield endOfArchive(count, start, length)
}

/** Puts the parts together in the storage. Run again after a crash, it only copies them again. */
export async function assemble(ctx: Context, row: ExportRow): Promise<number> {
  const key = archiveKey(row.id)
  await upsertLooseObjects(ctx.autocommit, [key], new Date(ctx.clock.now() + KEPT_MS))
  const { size } = await ctx.storage.write(key, Readable.from(archive(ctx, row)), 'application/zip')
  return size
}
