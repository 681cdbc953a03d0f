import type { Readable } from 'node:stream'

export interface ArchiveEntry {
  name: string
  size: number
}

/** Files by name, from a ZIP, a tar or a folder. Names use slashes and never lead outside. */
export interface Archive {
  entries: ReadonlyMap<string, ArchiveEntry>
  /** Entries that were left out, and why. */
  refused: readonly string[]
  open(name: string): Promise<Readable>
  /** Where an entry lies as a file of its own, to be read from any place in it; null where it is packed. */
  pathOf(name: string): string | null
  close(): Promise<void>
}

/** What makes an archive unreadable as a whole: said in one line, before anything is written. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

export interface ArchiveLimits {
  entries: number
  /** Bytes of all entries together. */
  bytes: number
}

export const LIMITS: ArchiveLimits = { entries: 2_000_000, bytes: 1024 ** 4 }

/** JSON packs well, but not a hundred times over in what people wrote. */
export const RATIO = 100
/** Small entries pack better than any text of people. */
export const RATIO_FROM = 1024 * 1024

export function isBomb(size: number, packed: number): boolean {
  return size > RATIO_FROM && size > packed * RATIO
}
