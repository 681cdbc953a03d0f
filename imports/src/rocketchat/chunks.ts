import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Binary } from 'bson'
import { ArchiveError } from '../archive/archive.js'
import { binarySize, idOf, pick } from './documents.js'
import type { Dump } from './dump.js'

const FIELDS = new Set(['files_id', 'n', 'data'])
const PLACE = new Set(['files_id', 'n'])
const GROWTH = 64 * 1024

/** Where the bytes of GridFS files lie. Chunks come in any order, and millions of places must fit into memory. */
export class ChunkIndex {
  readonly bucket: string
  readonly #dump: Dump
  readonly #collection: string
  #hashes = new Float64Array(GROWTH)
  #numbers = new Uint32Array(GROWTH)
  #offsets = new Float64Array(GROWTH)
  #lengths = new Uint32Array(GROWTH)
  #sizes = new Uint32Array(GROWTH)
  #count = 0
  #order = new Uint32Array()
  #filled: Promise<void> | undefined
  #file: Promise<FileHandle> | undefined

  constructor(dump: Dump, bucket: string) {
    this.bucket = bucket
    this.#dump = dump
    this.#collection = `${bucket}.chunks`
  }

  /** Reads where every chunk is, once. An import that goes on opens files without reading records first. */
  fill(): Promise<void> {
    this.#filled ??= this.#readAll()
    return this.#filled
  }

  /** A damaged rest leaves its files incomplete. */
  async #readAll() {
    try {
      for await (const { bytes, offset } of this.#dump.readBytes(this.#collection)) {
        const place = pick(bytes, PLACE)
        const id = idOf(place?.files_id)
        if (id !== null)
          this.#add(hashOf(id), Number(place?.n), offset, [bytes.length, binarySize(bytes, 'data')])
      }
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
    }
    this.#order = new Uint32Array(this.#count).map((_, index) => index)
    this.#order.sort((a, b) => this.#at(a) - this.#at(b) || this.#number(a) - this.#number(b))
  }

  #at = (row: number) => this.#hashes[row] as number
  #number = (row: number) => this.#numbers[row] as number

  #add(hash: number, n: number, offset: number, [length, size]: [number, number]) {
    if (this.#count === this.#hashes.length) {
      this.#hashes = grown(this.#hashes)
      this.#numbers = grown(this.#numbers)
      this.#offsets = grown(this.#offsets)
      this.#lengths = grown(this.#lengths)
      this.#sizes = grown(this.#sizes)
    }
    this.#hashes[this.#count] = hash
    this.#numbers[this.#count] = n
    this.#offsets[this.#count] = offset
    this.#lengths[this.#count] = length
    this.#sizes[this.#count] = size
    this.#count += 1
  }

  /** The rows of a file in the order of its bytes, the first of those with one number; null where one is missing. */
  #rowsOf(id: string): number[] | null {
    const hash = hashOf(id)
    let low = 0
    for (let high = this.#count; low < high; ) {
      const middle = (low + high) >> 1
      if (this.#at(this.#order[middle] as number) < hash) low = middle + 1
      else high = middle
    }
    const rows: number[] = []
    for (let at = low; at < this.#count; at += 1) {
      const row = this.#order[at] as number
      if (this.#at(row) !== hash) break
      if (this.#number(row) === rows.length - 1) continue
      if (this.#number(row) !== rows.length) return null
      rows.push(row)
    }
    return rows
  }

  /** Whether the dump holds a file of this size. */
  holds(id: string, size: number | null): boolean {
    const rows = this.#rowsOf(id)
    if (!rows) return false
    if (rows.length === 0) return size === 0
    return size === null || rows.reduce((sum, row) => sum + (this.#sizes[row] as number), 0) === size
  }

  open(id: string): Readable {
    return Readable.from(this.#bytesOf(id), { objectMode: false })
  }

  async *#bytesOf(id: string): AsyncIterable<Buffer> {
    await this.fill()
    this.#file ??= this.#dump.pathOf(this.#collection).then((path) => open(path))
    const file = await this.#file
    for (const row of this.#rowsOf(id) ?? []) {
      const length = this.#lengths[row] as number
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, this.#offsets[row] as number)
      const chunk = pick(buffer, FIELDS)
      if (!chunk || idOf(chunk.files_id) !== id || !(chunk.data instanceof Binary))
        throw new ArchiveError(`a chunk of ${id} is damaged`)
      yield Buffer.from(chunk.data.buffer.subarray(0, chunk.data.position))
    }
  }

  async close() {
    await (await this.#file)?.close()
  }
}

/** 48 bits, so that they fit into a number. Reading compares the id itself. */
function hashOf(id: string): number {
  return createHash('sha1').update(id).digest().readUIntBE(0, 6)
}

function grown<T extends Float64Array | Uint32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2)
  larger.set(array)
  return larger
}
