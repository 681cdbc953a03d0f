import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { pipeline as finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Archive, ArchiveError, RATIO, RATIO_FROM } from '../archive/archive.js'
import { atMost } from '../archive/at-most.js'
import { type BsonDocument, readDocuments } from '../archive/documents.js'
import { makeTemporaryFolder } from '../archive/temporary.js'
import type { JsonObject } from '../json.js'
import { type Remark, remark } from '../records.js'
import { pick } from './documents.js'

/** A database as mongodump wrote it: a file of BSON documents for each collection, gzipped or not. */
export interface Dump {
  archive: Archive
  has(collection: string): boolean
  /** The documents of a collection, with the named fields alone; what is not named is never parsed. */
  read(collection: string, fields: ReadonlySet<string>, of?: Remark['of']): AsyncIterable<JsonObject | Damage>
  /** The documents as they are, with their places. */
  readBytes(collection: string): AsyncIterable<BsonDocument>
  /** A file that holds the documents, to be read from any place in it. */
  pathOf(collection: string): Promise<string>
  close(): Promise<void>
}

/** What could not be read; a single document, or the rest of a collection. */
export class Damage {
  readonly remark: Remark
  constructor(told: Remark) {
    this.remark = told
  }
}

const ROOMS = /^(.*\/)?rocketchat_room\.bson(\.gz)?$/

function databases(archive: Archive): string[] {
  return [...archive.entries.keys()].flatMap((name) => {
    const found = ROOMS.exec(name)
    return found ? [found[1] ?? ''] : []
  })
}

export function isDump(archive: Archive): boolean {
  return databases(archive).length > 0
}

export function openDump(archive: Archive): Dump {
  const [folder, ...others] = [...new Set(databases(archive))]
  if (folder === undefined || others.length > 0)
    throw new ArchiveError(
      folder === undefined
        ? 'the archive holds no database of Rocket.Chat'
        : `the archive holds several databases of Rocket.Chat: ${[folder, ...others].join(', ')}`,
    )
  const entryOf = (collection: string) =>
    [`${folder}${collection}.bson`, `${folder}${collection}.bson.gz`].find((name) =>
      archive.entries.has(name),
    )
  const open = async (collection: string): Promise<Readable | undefined> => {
    const name = entryOf(collection)
    return name === undefined ? undefined : openEntry(archive, name)
  }
  let copies: Promise<string> | undefined
  const dump: Dump = {
    archive,
    has: (collection) => entryOf(collection) !== undefined,
    async *readBytes(collection) {
      const stream = await open(collection)
      if (!stream) return
      for await (const document of readDocuments(stream)) if (document) yield document
    },
    async *read(collection, fields, of = 'entry') {
      try {
        for await (const { bytes, offset } of dump.readBytes(collection))
          yield pick(bytes, fields) ??
            new Damage(remark('skipped', of, 'is damaged', `${collection} at byte ${offset}`))
      } catch (error) {
        const reason = `cannot be read: ${(error as Error).message.replace(/\d+/g, '…').slice(0, 100)}`
        yield new Damage(remark('skipped', 'entry', reason, collection))
      }
    },
    async pathOf(collection) {
      const name = entryOf(collection) as string
      const path = name.endsWith('.gz') ? null : archive.pathOf(name)
      if (path) return path
      copies ??= makeTemporaryFolder()
      const copy = join(await copies, `${collection}.bson`)
      await finished(
        (await open(collection)) as Readable,
        createWriteStream(copy, { flags: 'wx', mode: 0o600 }),
      )
      return copy
    },
    async close() {
      if (copies) await rm(await copies, { recursive: true, force: true })
      await archive.close()
    },
  }
  return dump
}

async function openEntry(archive: Archive, name: string): Promise<Readable> {
  const stream = await archive.open(name)
  if (!name.endsWith('.gz')) return stream
  const size = archive.entries.get(name)?.size ?? 0
  const bound = atMost(Math.max(RATIO_FROM, size * RATIO), 'it unpacks to over a hundred times its size')
  // The callback is called with what ended the streams; whoever reads them gets the same.
  return pipeline(stream, createGunzip(), bound, new PassThrough(), () => {})
}
