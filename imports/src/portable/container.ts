import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { ArchiveError, LIMITS } from '../archive/archive.js'
import { centralHeader, endOfArchive, localHeader, type ZipEntry } from '../archive/write-zip.js'

const END_BYTES = 22
const WIDE_END_BYTES = 20 + 56
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30
const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff
const DEFLATED = 8
const BLOCK = 256 * 1024

export interface ContainedEntry extends ZipEntry {
  offset: number
  /** Where its bytes begin; undefined where its own header is not readable. */
  start: number | undefined
  /** Why its bytes cannot be read. */
  unreadable?: string
}

/** The entries of a ZIP as they stand in it, and the first place at which it is not what a writer of such files writes. */
export interface Container {
  entries: ContainedEntry[]
  fault: { entry: string; fault: string } | undefined
  /** The bytes of an entry as they are stored. */
  stream(entry: ContainedEntry): Readable
}

/** Reads forward through a file. */
class Cursor {
  readonly #file: FileHandle
  #at: number
  #block: Buffer = Buffer.alloc(0)

  constructor(file: FileHandle, at: number) {
    this.#file = file
    this.#at = at
  }

  async take(count: number): Promise<Buffer> {
    while (this.#block.length < count) {
      const next = await readAt(this.#file, this.#at + this.#block.length, Math.max(BLOCK, count))
      if (next.length === 0) throw new ArchiveError('the list of its entries ends too early')
      this.#block = Buffer.concat([this.#block, next])
    }
    const taken = this.#block.subarray(0, count)
    this.#block = this.#block.subarray(count)
    this.#at += count
    return taken
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

interface Directory {
  count: number
  start: number
  length: number
}

/** Reads where the list of entries is. */
async function findDirectory(file: FileHandle, size: number): Promise<Directory> {
  const end = await readAt(file, Math.max(0, size - END_BYTES), END_BYTES)
  if (end.length < END_BYTES || end.readUInt32LE(0) !== 0x06054b50)
    throw new ArchiveError('it does not end as a ZIP does: it is cut off, or something was added')
  const count = end.readUInt16LE(10)
  const [length, start] = [end.readUInt32LE(12), end.readUInt32LE(16)]
  if (count !== MAX_16 && length !== MAX_32 && start !== MAX_32) return { count, start, length }
  const wide = await readAt(file, size - END_BYTES - WIDE_END_BYTES, WIDE_END_BYTES)
  if (wide.length < WIDE_END_BYTES || wide.readUInt32LE(0) !== 0x06064b50)
    throw new ArchiveError('its end is damaged')
  const wideAt = (at: number) => Number(wide.readBigUInt64LE(at))
  return { count: wideAt(32), start: wideAt(48), length: wideAt(40) }
}

/** An entry of the list, with the bytes that say it. */
async function readListed(cursor: Cursor): Promise<{ entry: ContainedEntry; bytes: Buffer }> {
  const head = await cursor.take(CENTRAL_BYTES)
  if (head.readUInt32LE(0) !== 0x02014b50) throw new ArchiveError('the list of its entries is damaged')
  const [nameLength, extraLength, noteLength] = [28, 30, 32].map((at) => head.readUInt16LE(at)) as [
    number,
    number,
    number,
  ]
  const rest = await cursor.take(nameLength + extraLength + noteLength)
  const name = rest.toString('utf8', 0, nameLength)
  const method = head.readUInt16LE(10)
  const entry: ContainedEntry = {
    name,
    stored: method === 0,
    wide: true,
    crc: head.readUInt32LE(16),
    compressed: head.readUInt32LE(20),
    size: head.readUInt32LE(24),
    offset: head.readUInt32LE(42),
    start: undefined,
  }
  widen(entry, rest.subarray(nameLength, nameLength + extraLength))
  if (method !== 0 && method !== DEFLATED) entry.unreadable = 'is packed in a way that is not known'
  if ((head.readUInt16LE(8) & 1) === 1) entry.unreadable = 'is encrypted'
  return { entry, bytes: Buffer.concat([head, rest]) }
}

/** Takes the numbers of 64 bits that stand apart. */
function widen(entry: ContainedEntry, extra: Buffer) {
  if (extra.length < 4 || extra.readUInt16LE(0) !== 1) return
  let at = 4
  for (const field of ['size', 'compressed', 'offset'] as const) {
    if (entry[field] !== MAX_32 || at + 8 > extra.length) continue
    entry[field] = Number(extra.readBigUInt64LE(at))
    at += 8
  }
}

/** Finds the bytes of an entry behind its own header; whether that is as a writer writes it. */
async function locate(file: FileHandle, entry: ContainedEntry, size: number): Promise<boolean> {
  const wanted = localHeader(entry)
  const found = await readAt(file, entry.offset, wanted.length)
  if (found.length < LOCAL_BYTES || found.readUInt32LE(0) !== 0x04034b50) {
    entry.unreadable ??= 'has no header where the list says'
    return false
  }
  const start = entry.offset + LOCAL_BYTES + found.readUInt16LE(26) + found.readUInt16LE(28)
  if (start + entry.compressed > size) entry.unreadable ??= 'reaches beyond the end of the file'
  entry.start = start
  return found.equals(wanted)
}

async function readContainer(file: FileHandle): Promise<Pick<Container, 'entries' | 'fault'>> {
  const { size } = await file.stat()
  const { count, start, length } = await findDirectory(file, size)
  if (count > LIMITS.entries) throw new ArchiveError(`it has over ${LIMITS.entries} entries`)
  let fault: Container['fault']
  const blame = (entry: string, text: string) => {
    fault ??= { entry, fault: text }
  }
  const cursor = new Cursor(file, start)
  const entries: ContainedEntry[] = []
  let at = 0
  let listed = 0
  for (let index = 0; index < count; index += 1) {
    const { entry, bytes } = await readListed(cursor)
    if (!bytes.equals(centralHeader(entry, entry.offset)))
      blame(entry.name, 'is not listed as a portable file lists it')
    if (!(await locate(file, entry, size)))
      blame(entry.name, 'has not the header that it has in a portable file')
    if (entry.offset !== at) blame(entry.name, 'does not follow on the entry before it')
    at = entry.offset + localHeader(entry).length + entry.compressed
    listed += bytes.length
    entries.push(entry)
  }
  const end = endOfArchive(count, start, length)
  const rest = await readAt(file, start + listed, end.length + 1)
  if (at !== start || listed !== length || !rest.equals(end))
    blame('the list of entries', 'is not as a portable file has it')
  return { entries, fault }
}

export async function openContainer(path: string): Promise<Container> {
  const file = await open(path).catch(() => {
    throw new ArchiveError(`${path} is not there or cannot be read`)
  })
  try {
    const { entries, fault } = await readContainer(file)
    return {
      entries,
      fault,
      stream: ({ start = 0, compressed }) =>
        createReadStream(path, { start, end: start + compressed - 1, highWaterMark: BLOCK }),
    }
  } finally {
    await file.close()
  }
}
