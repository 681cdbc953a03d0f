import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { deserialize } from 'bson'
import { type Archive, ArchiveError, LIMITS } from './archive.js'
import { atMost, tooLarge } from './at-most.js'
import { type BsonDocument, readDocuments } from './documents.js'
import { faultOfName } from './names.js'
import { openUnpacked } from './unpacked.js'

/** What is gathered of a collection before it is written to its file. */
const BUFFERED_BYTES = 64 * 1024
const FILES_AT_ONCE = 1000

/** Collections are interleaved in such an archive. Each becomes a file, as `mongodump` without `--archive` writes them. */
export function openMongoArchive(path: string, gzipped: boolean, limits = LIMITS): Promise<Archive> {
  return openUnpacked((folder) => unpack(path, gzipped, folder, limits), limits)
}

async function unpack(path: string, gzipped: boolean, folder: string, limits: typeof LIMITS) {
  const plain = gzipped ? createGunzip() : new PassThrough()
  const bytes = atMost(limits.bytes, tooLarge(limits.bytes))
  // The callback is called with what ended the streams; the loop throws the same.
  const stream = pipeline(createReadStream(path), plain, bytes, () => {})
  const collections = new Collections(folder)
  const refused = new Set<string>()
  try {
    // A block is a header, its documents, and a terminator; the first block describes the archive.
    let block = 0
    let target: string | null | undefined
    for await (const document of readDocuments(Readable.from(withoutMagic(stream)))) {
      if (document === null) {
        block += 1
        target = undefined
      } else if (block > 0 && target === undefined) {
        target = nameOf(document, refused)
      } else if (block > 0 && typeof target === 'string') await collections.add(target, document.bytes)
    }
  } finally {
    await collections.close()
  }
  return [...refused]
}

/** The file of the collection that the documents of a block belong to; null where its name is not taken. */
function nameOf({ bytes }: BsonDocument, refused: Set<string>): string | null {
  const { db, collection } = deserialize(bytes, { validation: { utf8: false } })
  const name = `${db}/${collection}.bson`
  const fault =
    typeof db !== 'string' || typeof collection !== 'string' || `${db}${collection}`.includes('/')
      ? 'has a name that is none'
      : faultOfName(name)
  if (fault) refused.add(`${name.slice(0, 200)} ${fault}`)
  return fault ? null : name
}

async function* withoutMagic(chunks: AsyncIterable<Buffer>) {
  let left = 4
  for await (const chunk of chunks) {
    const cut = Math.min(left, chunk.length)
    left -= cut
    if (chunk.length > cut) yield chunk.subarray(cut)
  }
}

/** One file a collection, written in larger pieces than a document. */
class Collections {
  readonly #folder: string
  readonly #files = new Map<string, { file: FileHandle; waiting: Buffer[]; size: number }>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async add(name: string, bytes: Buffer) {
    let target = this.#files.get(name)
    if (!target) {
      if (this.#files.size >= FILES_AT_ONCE)
        throw new ArchiveError(`the archive has over ${FILES_AT_ONCE} collections`)
      const path = join(this.#folder, name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      target = { file: await open(path, 'wx', 0o600), waiting: [], size: 0 }
      this.#files.set(name, target)
    }
    target.waiting.push(bytes)
    target.size += bytes.length
    if (target.size >= BUFFERED_BYTES) await flush(target)
  }

  async close() {
    for (const target of this.#files.values()) {
      try {
        await flush(target)
      } finally {
        await target.file.close()
      }
    }
  }
}

async function flush(target: { file: FileHandle; waiting: Buffer[]; size: number }) {
  if (target.size > 0) await target.file.writeFile(Buffer.concat(target.waiting))
  target.waiting = []
  target.size = 0
}
