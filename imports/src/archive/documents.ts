import type { Readable } from 'node:stream'
import { ArchiveError } from './archive.js'

/** A document holds 16 MiB at most; the server allows itself some more. */
const DOCUMENT_BYTES = 16 * 1024 * 1024 + 16 * 1024
const SMALLEST = 5
/** Ends a block of an archive of mongodump, where a length would stand. */
const TERMINATOR = 0xffffffff

export interface BsonDocument {
  bytes: Buffer
  /** Where it begins in the stream. */
  offset: number
}

/**
 * BSON documents one after another, each as its bytes; null where a block ends. What follows a broken length cannot be
 * read and throws.
 */
export async function* readDocuments(stream: Readable): AsyncIterable<BsonDocument | null> {
  const reader = new ByteReader(stream)
  for (let head = await reader.take(4); head.length > 0; head = await reader.take(4)) {
    const offset = reader.offset - head.length
    const length = head.length === 4 ? head.readUInt32LE(0) : 0
    if (length === TERMINATOR) {
      yield null
      continue
    }
    if (length < SMALLEST || length > DOCUMENT_BYTES)
      throw new ArchiveError(`a document has no length that is possible, at byte ${offset}`)
    const rest = await reader.take(length - 4)
    if (rest.length < length - 4) throw new ArchiveError(`a document breaks off, at byte ${offset}`)
    yield { bytes: Buffer.concat([head, rest]), offset }
  }
}

/** Takes a given number of bytes of a stream at a time. */
class ByteReader {
  offset = 0
  readonly #chunks: AsyncIterator<Buffer>
  #waiting: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  }

  /** As many bytes as asked for; fewer at the end of the stream. */
  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let left = count
    while (left > 0) {
      if (this.#waiting.length === 0) {
        const next = await this.#chunks.next()
        if (next.done) break
        this.#waiting = next.value
      }
      const part = this.#waiting.subarray(0, left)
      this.#waiting = this.#waiting.subarray(part.length)
      left -= part.length
      parts.push(part)
    }
    this.offset += count - left
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }
}
