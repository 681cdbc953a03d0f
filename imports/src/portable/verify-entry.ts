import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { isBomb } from '../archive/archive.js'
import { LINE_AT_MOST } from '../lines.js'
import { auditHash } from './audit-hash.js'
import { canonical } from './canonical.js'
import type { ContainedEntry, Container } from './container.js'
import { hashOfName, kindOfEntry, type LineKind } from './layout.js'
import { faultOfLine, type Line } from './lines.js'

/** What an entry holds, as it is found. */
export interface FoundEntry {
  sha256: string
  packed: string
  bytes: number
  lines: number | null
}

export type Blame = (fault: string, line?: number) => void

/** The content of an entry, unpacked no further than it says it goes. */
async function* unpack(
  { stream }: Container,
  entry: ContainedEntry,
  onPacked: (chunk: Buffer) => void,
): AsyncIterable<Buffer> {
  if (entry.compressed === 0) return
  async function* packed(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      onPacked(chunk)
      yield chunk
    }
  }
  if (entry.stored) return yield* packed(stream(entry))
  const inflate = createInflateRaw()
  // The callback is called with what ended the streams; the loop throws the same.
  const unpacked = pipeline(stream(entry), packed, inflate, () => {})
  let size = 0
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > entry.size) throw new Error('it holds more than it says')
    yield chunk
  }
  if (inflate.bytesWritten !== entry.compressed) throw new Error('it has bytes behind its end')
}

/** Gives whole lines of chunks, without holding more than one. */
function splitLines(onLine: (line: Buffer) => void) {
  let held: Buffer[] = []
  let size = 0
  return {
    add(chunk: Buffer) {
      let from = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        const last = chunk.subarray(from, end)
        const tooLong = size + last.length > LINE_AT_MOST
        onLine(tooLong ? TOO_LONG : held.length > 0 ? Buffer.concat([...held, last]) : last)
        held = []
        size = 0
        from = end + 1
      }
      const rest = chunk.subarray(from)
      size += rest.length
      if (size > LINE_AT_MOST) held = []
      else if (rest.length > 0) held.push(Buffer.from(rest))
    },
    isEnded: () => size === 0,
  }
}

const TOO_LONG = Buffer.alloc(0)
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a line and says what is wrong with it. */
export function readLine(kind: LineKind | undefined, bytes: Buffer): { value?: unknown; fault?: string } {
  if (bytes === TOO_LONG) return { fault: `is longer than ${LINE_AT_MOST} bytes, or empty` }
  try {
    const text = decoder.decode(bytes)
    if (/\\u(0000|[dD][89abAB])/.test(text)) return { fault: 'holds a character that no text may hold' }
    const value: unknown = JSON.parse(text)
    if (canonical(value) !== text) return { value, fault: 'is not in the one form that lines have' }
    const fault = kind && faultOfLine(kind, value)
    return fault ? { fault } : { value }
  } catch (error) {
    return { fault: `is no JSON: ${(error as Error).message}` }
  }
}

/** Follows the chain of the audit log through its lines. */
export class AuditWalk {
  #previous: string | undefined
  #position: number | undefined

  /** What is wrong with the next record of the log; undefined where it follows on the one before. */
  next(line: Line<'audit'>): string | undefined {
    const { position, previous_hash, hash, created_at, details, ...row } = line
    const follows =
      this.#position === undefined || (position === this.#position + 1 && previous_hash === this.#previous)
    this.#position = position
    this.#previous = hash
    if (!follows) return 'does not follow on the record before it'
    const said = { ...row, created_at_text: created_at, details_text: details }
    const right = auditHash(Buffer.from(previous_hash, 'hex'), position, said).toString('hex')
    return right === hash ? undefined : 'is not the record that was hashed'
  }
}

/** Reads an entry to its end: its hashes, its lines, and what is wrong with them. */
export async function readEntry(
  container: Container,
  entry: ContainedEntry,
  audit: AuditWalk,
  blame: Blame,
): Promise<FoundEntry | undefined> {
  if (entry.unreadable) return void blame(entry.unreadable)
  const isLines = hashOfName(entry.name) === undefined
  if (isLines && isBomb(entry.size, entry.compressed))
    return void blame('unpacks to over a hundred times its size')
  const kind = kindOfEntry(entry.name)
  const [content, packed] = [createHash('sha256'), createHash('sha256')]
  let bytes = 0
  let lines = 0
  let crc = 0
  const splitter = splitLines((line) => {
    lines += 1
    const { value, fault } = readLine(kind, line)
    if (fault) blame(fault, lines)
    else if (kind === 'audit') {
      const broken = audit.next(value as Line<'audit'>)
      if (broken) blame(broken, lines)
    }
  })
  try {
    for await (const chunk of unpack(container, entry, (part) => packed.update(part))) {
      content.update(chunk)
      bytes += chunk.length
      crc = crc32(chunk, crc)
      if (isLines) splitter.add(chunk)
    }
  } catch (error) {
    return void blame(`cannot be unpacked: ${(error as Error).message}`)
  }
  if (isLines && !splitter.isEnded()) blame('does not end with a line')
  if (bytes !== entry.size || crc !== entry.crc) blame('has another length or checksum than the list says')
  return { sha256: content.digest('hex'), packed: packed.digest('hex'), bytes, lines: isLines ? lines : null }
}
