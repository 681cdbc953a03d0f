import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** A file of an archive, finished or on its way: what its headers say. */
export interface ZipEntry {
  name: string
  crc: number
  compressed: number
  size: number
  /** Not compressed. */
  stored?: boolean
  /** The local header has room for sizes of 64 bits, whatever they turn out to be. */
  wide?: boolean
}

/**
 * Compresses a piece of a file so that pieces can be put one after the other: each ends on a whole byte, and only the
 * last says that it is the last. Nothing but the entry is needed to go on after a crash.
 */
export async function addPiece(entry: ZipEntry, text: string | Buffer, last: boolean): Promise<Buffer> {
  const data = typeof text === 'string' ? Buffer.from(text) : text
  const finishFlush = last ? constants.Z_FINISH : constants.Z_SYNC_FLUSH
  const small = await deflate(data, { finishFlush })
  // No entry unpacks to a hundred times its size, which readers refuse.
  const bytes = data.length > small.length * RATIO ? await deflate(data, { finishFlush, level: 0 }) : small
  // zlib's crc32 of an empty buffer ignores the seed, so skip empty pieces.
  if (data.length > 0) entry.crc = crc32(data, entry.crc)
  entry.size += data.length
  entry.compressed += bytes.length
  return bytes
}

const RATIO = 50
const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff
const UTF8_NAME = 1 << 11
const DEFLATED = 8
const PLAIN_VERSION = 20
const ZIP64_VERSION = 45
/** 1 January 1980, the first day that the format knows: files differ by their names. */
const NO_DATE = 0x0021

function wide(...values: number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  values.forEach((value, index) => {
    extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  })
  return extra
}

/** Sizes that need 64 bits are written apart and leave a mark in their place. */
export function localHeader({ name, crc, compressed, size, stored, wide: room }: ZipEntry): Buffer {
  const large = room || compressed > MAX_32 || size > MAX_32
  const extra = large ? wide(size, compressed) : Buffer.alloc(0)
  const label = Buffer.from(name)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(large ? ZIP64_VERSION : PLAIN_VERSION, 4)
  head.writeUInt16LE(UTF8_NAME, 6)
  head.writeUInt16LE(stored ? 0 : DEFLATED, 8)
  head.writeUInt16LE(NO_DATE, 12)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(large ? MAX_32 : compressed, 18)
  head.writeUInt32LE(large ? MAX_32 : size, 22)
  head.writeUInt16LE(label.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, label, extra])
}

export function centralHeader({ name, crc, compressed, size, stored }: ZipEntry, offset: number): Buffer {
  const large = compressed > MAX_32 || size > MAX_32
  const far = offset > MAX_32
  const values = [...(large ? [size, compressed] : []), ...(far ? [offset] : [])]
  const extra = values.length > 0 ? wide(...values) : Buffer.alloc(0)
  const label = Buffer.from(name)
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(ZIP64_VERSION, 4)
  head.writeUInt16LE(values.length > 0 ? ZIP64_VERSION : PLAIN_VERSION, 6)
  head.writeUInt16LE(UTF8_NAME, 8)
  head.writeUInt16LE(stored ? 0 : DEFLATED, 10)
  head.writeUInt16LE(NO_DATE, 14)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(large ? MAX_32 : compressed, 20)
  head.writeUInt32LE(large ? MAX_32 : size, 24)
  head.writeUInt16LE(label.length, 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt32LE(far ? MAX_32 : offset, 42)
  return Buffer.concat([head, label, extra])
}

/** The end of central directory, preceded by the ZIP64 records where the plain fields overflow. */
export function endOfArchive(count: number, start: number, length: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, MAX_16), 8)
  end.writeUInt16LE(Math.min(count, MAX_16), 10)
  end.writeUInt32LE(Math.min(length, MAX_32), 12)
  end.writeUInt32LE(Math.min(start, MAX_32), 16)
  if (count < MAX_16 && length < MAX_32 && start < MAX_32) return end

  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(ZIP64_VERSION, 12)
  record.writeUInt16LE(ZIP64_VERSION, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(length), 40)
  record.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + length), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator, end])
}
