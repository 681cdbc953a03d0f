import { createHash, type Hash, type KeyObject } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { addPiece, centralHeader, endOfArchive, localHeader, type ZipEntry } from '../archive/write-zip.js'
import { canonical } from './canonical.js'
import { fileName, LINES_AT_MOST, MANIFEST, SUMS, seriesName } from './layout.js'
import type { Manifest } from './manifest.js'
import { Spool } from './spool.js'
import { chainAfter, headLine, sumLine } from './sums.js'

const PIECE = 1024 * 1024

/** An entry on its way into the file. */
interface OpenEntry {
  zip: ZipEntry
  offset: number
  content: Hash
  packed: Hash
}

export interface WrittenFile {
  bytes: number
  entries: number
  /** The end of the chain. */
  head: string
}

/**
 * Writes a portable file. It grows under another name and gets its own when it is whole, so that there never is a half
 * file. Memory stays the same however long it gets.
 */
export class PortableWriter {
  readonly #path: string
  readonly #file: FileHandle
  readonly #index: Spool
  readonly #sums: Spool
  #at = 0
  #entries = 0
  #chain: Buffer = Buffer.alloc(0)

  private constructor(path: string, file: FileHandle, index: Spool, sums: Spool) {
    this.#path = path
    this.#file = file
    this.#index = index
    this.#sums = sums
  }

  static async create(path: string, manifest: Manifest): Promise<PortableWriter> {
    const part = `${path}.part`
    const file = await open(part, 'w', 0o600)
    const writer = new PortableWriter(
      path,
      file,
      await Spool.create(`${part}.index`),
      await Spool.create(`${part}.sums`),
    )
    await writer.lines(MANIFEST, [manifest])
    return writer
  }

  async #write(data: Buffer) {
    await this.#file.write(data, 0, data.length, this.#at)
    this.#at += data.length
  }

  /** Room is left for the header, which is written when the sizes are known. */
  #begin(name: string, stored: boolean): OpenEntry {
    const zip = { name, crc: 0, compressed: 0, size: 0, stored, wide: true }
    const offset = this.#at
    this.#at += localHeader(zip).length
    return { zip, offset, content: createHash('sha256'), packed: createHash('sha256') }
  }

  async #end({ zip, offset }: OpenEntry) {
    const head = localHeader(zip)
    await this.#file.write(head, 0, head.length, offset)
    await this.#index.append(centralHeader(zip, offset))
    this.#entries += 1
  }

  async #sum(entry: OpenEntry, lines: number | null) {
    const { zip, content, packed } = entry
    await this.#end(entry)
    const sha256 = content.digest('hex')
    const sum = { name: zip.name, lines, bytes: zip.size, sha256, packed: packed.digest('hex') }
    this.#chain = chainAfter(this.#chain, sum)
    await this.#sums.append(Buffer.from(sumLine(sum, this.#chain)))
  }

  async #piece(entry: OpenEntry, data: Buffer, last: boolean) {
    entry.content.update(data)
    const bytes = await addPiece(entry.zip, data, last)
    entry.packed.update(bytes)
    await this.#write(bytes)
  }

  /** An entry of lines; gives how many. */
  async lines(name: string, values: AsyncIterable<object> | Iterable<object>): Promise<number> {
    const iterator =
      Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]()
    return (await this.#lines(name, iterator, Number.POSITIVE_INFINITY)).count
  }

  /** Entries of at most 100 000 lines each, numbered from 1; none where there are no lines. */
  async series(series: string, values: AsyncIterable<object>): Promise<number> {
    const iterator = values[Symbol.asyncIterator]()
    let total = 0
    let next = await iterator.next()
    for (let number = 1; !next.done; number += 1) {
      const written = await this.#lines(seriesName(series, number), iterator, LINES_AT_MOST, next.value)
      total += written.count
      next = written.next ?? { done: true, value: undefined }
    }
    return total
  }

  async #lines(
    name: string,
    values: AsyncIterator<object> | Iterator<object>,
    limit: number,
    first?: object,
  ): Promise<{ count: number; next?: IteratorResult<object> }> {
    const entry = this.#begin(name, false)
    let held = ''
    let count = 0
    let next = first ? { done: false as const, value: first } : await values.next()
    while (!next.done && count < limit) {
      held += `${canonical(next.value)}\n`
      count += 1
      if (held.length >= PIECE) {
        await this.#piece(entry, Buffer.from(held), false)
        held = ''
      }
      next = await values.next()
    }
    await this.#piece(entry, Buffer.from(held), true)
    await this.#sum(entry, count)
    return { count, next }
  }

  /** The bytes of a file; `open` gives undefined where they were erased since they were hashed. */
  async file(sha256: string, open: () => Promise<Readable | undefined>): Promise<boolean> {
    const name = fileName(sha256)
    const stream = await open()
    if (!stream) {
      const sum = { name, lines: null, bytes: 0, sha256, packed: null, erased: true } as const
      this.#chain = chainAfter(this.#chain, sum)
      await this.#sums.append(Buffer.from(sumLine(sum, this.#chain)))
      return false
    }
    const entry = this.#begin(name, true)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      entry.content.update(chunk)
      await this.#store(entry, chunk)
    }
    if (entry.content.copy().digest('hex') !== sha256)
      throw new Error(`the bytes of ${name} have changed while the file was written`)
    entry.packed = entry.content.copy()
    await this.#sum(entry, null)
    return true
  }

  async #store({ zip }: OpenEntry, chunk: Buffer) {
    if (chunk.length > 0) zip.crc = crc32(chunk, zip.crc)
    zip.size += chunk.length
    zip.compressed += chunk.length
    await this.#write(chunk)
  }

  /** Signs, ends the file and gives it its name. */
  async finish(key: KeyObject | null): Promise<WrittenFile> {
    const entry = this.#begin(SUMS, true)
    for await (const chunk of this.#sums.read()) await this.#store(entry, chunk)
    await this.#store(entry, Buffer.from(headLine(this.#chain, key)))
    await this.#end(entry)
    const start = this.#at
    for await (const chunk of this.#index.read()) await this.#write(chunk)
    await this.#write(endOfArchive(this.#entries, start, this.#at - start))
    await this.#file.sync()
    await this.#file.close()
    await rename(`${this.#path}.part`, this.#path)
    const folder = await open(dirname(this.#path), 'r')
    await folder.sync().finally(() => folder.close())
    await this.#dropSpools()
    return { bytes: this.#at, entries: this.#entries, head: this.#chain.toString('hex') }
  }

  async #dropSpools() {
    await Promise.all([this.#index.remove(), this.#sums.remove()])
  }

  /** Removes what was written of a file that will not be whole. */
  async abandon() {
    await this.#file.close().catch(() => {})
    await rm(`${this.#path}.part`, { force: true })
    await this.#dropSpools()
  }
}
