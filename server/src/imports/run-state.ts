import {
  type ImportRecord,
  type PortableSource,
  type RecordKind,
  type Remark,
  remark,
  type Source,
} from '@parley/imports'
import type { KnownWords } from '../messages/known-words.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import type { ImportedName } from '../users/import-queries.js'
import type { Fetching } from './fetch-file.js'
import type { ImportRow, RecordRow } from './queries.js'

/** An import that cannot be begun or undone, in a sentence for whoever asked for it. */
export class ImportError extends Error {}

/** Who is who, as the operator says: ids of the source to mails, nicknames or ids here. */
export interface Mapping {
  people?: Record<string, string>
  chats?: Record<string, number>
  /** Names of profile fields, where the source has their ids alone. */
  fields?: Record<string, string>
  /** Names of tags here, for groups that texts name and the source does not describe. */
  tags?: Record<string, string>
}

export type AnySource = Source | PortableSource

/** One import while it is written. */
export interface Run {
  ctx: Context
  row: ImportRow
  /** Whether there are records to write at all. */
  staged: boolean
  source: AnySource
  mapping: Mapping
  fetching: Fetching | null
  /** Nothing of it will stay: bytes are not copied. */
  dry: boolean
  /** People and bots of the source, as they are here. */
  people: Map<string, ImportedName>
  /** Chats of the source that take messages. */
  chats: Map<string, { id: number; name: string }>
  tags: Map<string, string>
  /** Words that search knows already. */
  words: KnownWords
  /** Pieces of texts whose words are in the transaction that is open. */
  learning: readonly string[]
  /** Nicknames that differ from those of the source, by these in small letters; filled before the first text. */
  renamed?: ReadonlyMap<string, string>
}

/** What became of a batch. Every record is written, merged with what was here, or skipped with a reason. */
export interface Outcome {
  written: number
  merged: number
  skipped: Remark[]
  /** Written, but not as it was. */
  remarks: Remark[]
}

export const outcome = (): Outcome => ({ written: 0, merged: 0, skipped: [], remarks: [] })

/**
 * Writes what the rows stand for: `resolve` gives the value of a row, or the reason why it is skipped. `insert` gives how many
 * were not here before.
 */
export async function writeResolved<R, V extends object>(
  kind: RecordKind,
  rows: readonly RecordRow<R>[],
  resolve: (row: RecordRow<R>) => V | string,
  insert: (values: V[]) => Promise<number>,
): Promise<Outcome> {
  const result = outcome()
  const values: V[] = []
  for (const row of rows) {
    const value = resolve(row)
    if (typeof value === 'string') result.skipped.push(remark('skipped', kind, value, row.source_id))
    else values.push(value)
  }
  result.written = await insert(values)
  result.merged = values.length - result.written
  return result
}

export interface Phase<R = ImportRecord, P = void> {
  kind: RecordKind
  batch: number
  /** Prepared while the batch before is written: only where that makes no difference. */
  ahead?: true
  /** What need not or must not happen inside the transaction: texts, bytes of files. */
  prepare?(run: Run, rows: readonly RecordRow<R>[]): Promise<P>
  write(tx: Tx, run: Run, rows: readonly RecordRow<R>[], prepared: P): Promise<Outcome>
}

/** Microseconds to a time. The database keeps them to the microsecond, so that text is given. */
export function timeOf(at: number): string {
  const seconds = Math.floor(at / 1_000_000)
  const micros = String(at - seconds * 1_000_000).padStart(6, '0')
  return new Date(seconds * 1000).toISOString().replace('.000Z', `.${micros}Z`)
}
