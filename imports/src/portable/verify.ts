import type { KeyObject } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { createInflateRaw } from 'node:zlib'
import { ArchiveError } from '../archive/archive.js'
import { canonical } from './canonical.js'
import { type ContainedEntry, type Container, openContainer } from './container.js'
import { hashOfName, MANIFEST, placeOf, SUMS } from './layout.js'
import { type Manifest, readManifest } from './manifest.js'
import { chainAfter, isSigned, publicKeyOf, type Sum } from './sums.js'
import { AuditWalk, type FoundEntry, readEntry } from './verify-entry.js'

export interface PortableFault {
  /** The entry, or the part of the file, that is not as it should be. */
  entry: string
  line: number | null
  fault: string
}

export interface PortableVerdict {
  whole: boolean
  faults: PortableFault[]
  /** What is worth knowing and no fault. */
  remarks: string[]
  manifest: Manifest | null
  entries: number
  lines: number
  bytes: number
  /** The end of the chain: keep it elsewhere, and an unsigned file cannot be replaced unseen. */
  head: string | null
  /** The public key that signed the chain; null where nobody did. */
  signed_by: string | null
}

const FAULTS_AT_MOST = 100
const SUMS_BYTES_AT_MOST = 1024 ** 3

class Verification {
  readonly #container: Container
  readonly #expectedKey: string | null
  readonly faults: PortableFault[] = []
  readonly remarks: string[] = []
  manifest: Manifest | null = null
  lines = 0
  bytes = 0
  head: string | null = null
  signed_by: string | null = null

  constructor(container: Container, expectedKey: string | null) {
    this.#container = container
    this.#expectedKey = expectedKey
  }

  blame(entry: string, fault: string, line: number | null = null) {
    if (this.faults.length < FAULTS_AT_MOST) this.faults.push({ entry, line, fault })
  }

  async run() {
    const { entries, fault } = this.#container
    if (entries[0]?.name !== MANIFEST) this.blame(MANIFEST, 'is not the first entry')
    const sums = await this.#readSums(entries)
    this.#compareNames(entries, sums)
    const audit = new AuditWalk()
    const listed = new Map(sums.map((sum, index) => [sum.name, { sum, line: index + 1 }]))
    for (const entry of entries.filter(({ name }) => name !== SUMS)) {
      const found = await readEntry(this.#container, entry, audit, (text, line) =>
        this.blame(entry.name, text, line ?? null),
      )
      if (found) this.#compare(entry, found, listed.get(entry.name)?.sum)
    }
    await this.#readManifest(entries[0])
    // Where a content is wrong, the container that was changed for it says nothing more.
    if (fault && this.faults.length === 0) this.blame(fault.entry, fault.fault)
  }

  async #readManifest(entry: ContainedEntry | undefined) {
    if (entry?.name !== MANIFEST || this.faults.some(({ entry: name }) => name === MANIFEST)) return
    try {
      this.manifest = readManifest(await text(this.#container.stream(entry).pipe(createInflateRaw())))
    } catch (error) {
      this.blame(MANIFEST, (error as Error).message)
    }
  }

  /** The sums, whose chain is walked while they are read. */
  async #readSums(entries: readonly ContainedEntry[]): Promise<Sum[]> {
    const entry = entries.at(-1)
    if (entry?.name !== SUMS || !entry.stored || entry.unreadable || entry.size > SUMS_BYTES_AT_MOST) {
      this.blame(SUMS, entry?.name === SUMS ? 'cannot be read' : 'is not the last entry')
      return []
    }
    const all = await text(this.#container.stream(entry))
    const rows = all.split('\n')
    if (rows.pop() !== '') this.blame(SUMS, 'does not end with a line')
    const head = rows.pop()
    const sums: Sum[] = []
    let chain: Buffer = Buffer.alloc(0)
    for (const [index, row] of rows.entries()) {
      const { sum, claimed } = this.#readSum(row, index + 1) ?? {}
      if (!sum) continue
      chain = chainAfter(chain, sum)
      if (chain.toString('hex') !== claimed) {
        this.blame(SUMS, `the chain breaks at ${sum.name}`, index + 1)
        chain = Buffer.from(claimed ?? '', 'hex')
      }
      sums.push(sum)
    }
    this.#checkHead(head ?? '', chain, rows.length + 1)
    return sums
  }

  #readSum(row: string, line: number): { sum: Sum; claimed: string } | undefined {
    try {
      const value = JSON.parse(row)
      if (canonical(value) !== row) throw new Error('it is not in the one form that lines have')
      const { chain: claimed, ...sum } = value
      const fine =
        typeof sum.name === 'string' && /^[\da-f]{64}$/.test(sum.sha256) && /^[\da-f]{64}$/.test(claimed)
      if (!fine) throw new Error('it is no sum')
      return { sum, claimed }
    } catch (error) {
      this.blame(SUMS, `cannot be read: ${(error as Error).message}`, line)
      return undefined
    }
  }

  #checkHead(row: string, chain: Buffer, line: number) {
    try {
      const { chain: claimed, public_key, signature } = JSON.parse(row)
      this.head = chain.toString('hex')
      if (canonical({ chain: claimed, public_key, signature }) !== row)
        throw new Error('it is not in the one form that lines have')
      if (claimed !== this.head) this.blame(SUMS, 'the last line does not end the chain', line)
      if (signature !== null && !isSigned(chain, public_key, signature))
        this.blame(SUMS, 'the signature is wrong', line)
      else this.signed_by = public_key
      if (signature === null && public_key !== null)
        this.blame(SUMS, 'a key is named and nothing signed', line)
    } catch (error) {
      this.blame(SUMS, `the line that ends the chain cannot be read: ${(error as Error).message}`, line)
    }
    if (this.#expectedKey !== null && this.signed_by !== this.#expectedKey)
      this.blame(SUMS, this.signed_by ? 'somebody else has signed it' : 'nobody has signed it', line)
  }

  /** Every entry has its sum, every sum its entry, in one order, which is the order of the format. */
  #compareNames(entries: readonly ContainedEntry[], sums: readonly Sum[]) {
    const found = entries.map(({ name }) => name).filter((name) => name !== SUMS)
    const wanted = sums.filter(({ erased }) => !erased).map(({ name }) => name)
    const [foundNames, wantedNames] = [new Set(found), new Set(wanted)]
    if (foundNames.size !== found.length) this.blame('the list of entries', 'names an entry twice')
    for (const name of wanted) if (!foundNames.has(name)) this.blame(name, 'is missing')
    for (const name of found) if (!wantedNames.has(name)) this.blame(name, 'was added: it has no sum')
    const common = found.filter((name) => wantedNames.has(name))
    const listed = wanted.filter((name) => foundNames.has(name))
    const moved = common.find((name, index) => name !== listed[index])
    if (moved !== undefined) this.blame(moved, 'stands in the wrong place')
    this.#checkPlaces(sums)
  }

  #checkPlaces(sums: readonly Sum[]) {
    let before = ''
    for (const { name, erased } of sums) {
      const place = placeOf(name)
      if (place === undefined) this.remarks.push(`${name} is an entry that this version does not know`)
      else if (place <= before) this.blame(name, 'stands in the wrong place')
      else before = place
      if (erased && !hashOfName(name)) this.blame(name, 'is missing')
      else if (erased) this.remarks.push(`${name} was erased from the server while the file was written`)
    }
  }

  #compare({ name }: ContainedEntry, found: FoundEntry, sum: Sum | undefined) {
    this.lines += found.lines ?? 0
    this.bytes += found.bytes
    if (!sum) return
    const hash = hashOfName(name)
    if (found.sha256 !== sum.sha256 || (hash !== undefined && hash !== found.sha256))
      this.blame(name, 'was changed: its content has another hash')
    else if (found.lines !== sum.lines || found.bytes !== sum.bytes)
      this.blame(name, 'has another length than its sum says')
    else if (found.packed !== sum.packed) this.blame(name, 'was changed: it is packed differently')
  }
}

/** Holds a portable file against its own sums, without a server: what is wrong with it, and where. */
export async function verifyPortable(path: string, key: KeyObject | null = null): Promise<PortableVerdict> {
  const nothing = { remarks: [], manifest: null, entries: 0, lines: 0, bytes: 0, head: null, signed_by: null }
  try {
    const container = await openContainer(path)
    const verification = new Verification(container, key && publicKeyOf(key))
    await verification.run()
    const { faults, remarks, manifest, lines, bytes, head, signed_by } = verification
    const whole = faults.length === 0
    return {
      whole,
      faults,
      remarks,
      manifest,
      entries: container.entries.length,
      lines,
      bytes,
      head,
      signed_by,
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    return { ...nothing, whole: false, faults: [{ entry: 'the archive', line: null, fault: error.message }] }
  }
}
