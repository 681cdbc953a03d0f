import { createHash } from 'node:crypto'
import {
  type ImportRecord,
  isRemark,
  type PortableRecord,
  personAsAsked,
  type ReadOptions,
  type RecordKind,
  type Remark,
  remark,
} from '@parley/imports'
import type { Autocommit } from '../platform/db/index.js'
import { analyzeTables, deleteRecords, type ImportRow, insertRecords, type Staged } from './queries.js'
import type { AnySource } from './run-state.js'

const BATCH = 2000
/** A future time would stay the newest for years. */
const LATER = 86_400_000_000

/** What a record is known by among those of its kind. */
function idOf(record: ImportRecord | PortableRecord): string {
  if ('line' in record) return record.key
  switch (record.kind) {
    case 'tag_member':
      return `${record.tag_id}:${record.person_id}`
    case 'property_value':
      return `${record.property_id}:${record.person_id}`
    case 'chat_member':
      return `${record.chat_id}:${record.person_id}`
    case 'reaction':
      return `${record.message_id}:${record.person_id}:${record.emoji}`
    case 'pin':
      return record.message_id
    case 'thread_follower':
      return `${record.message_id}:${record.person_id}`
    default:
      return record.id
  }
}

/** Ids are keys of indexes, whose rows have a limit. */
const ID_AT_MOST = 600

function isTooLong(record: ImportRecord | PortableRecord): boolean {
  const root = record.kind === 'message' && 'thread_of' in record ? (record.thread_of ?? '') : ''
  return idOf(record).length > ID_AT_MOST || root.length > ID_AT_MOST
}

/** How many were read, and how many of them the reader left out. */
export type ReadCounts = Partial<Record<RecordKind, { read: number; skipped: number }>>

function count(counts: ReadCounts, kind: RecordKind, skipped: number) {
  const before = counts[kind] ?? { read: 0, skipped: 0 }
  counts[kind] = { read: before.read + 1, skipped: before.skipped + skipped }
}

export interface Progress {
  phase: string
  done: number
  /** Unknown while an archive is read. */
  total: number | null
}

function isFuture(record: ImportRecord | PortableRecord, now: number): boolean {
  return record.kind === 'message' && 'at' in record && record.at > now + LATER
}

/** A record with the place that it is written at. Lines of a portable file have their order, others that of time. */
function stagedOf(record: ImportRecord | PortableRecord, now: number, options: ReadOptions): Staged {
  const { kind } = record
  if ('line' in record) return { kind, source_id: record.key, at: record.order, body: record.line }
  const at = record.kind !== 'message' ? 0 : isFuture(record, now) ? now : record.at
  const body = record.kind === 'person' ? personAsAsked(record, options) : record
  return { kind, source_id: idOf(record), at, body }
}

interface Listeners {
  onProgress: (progress: Progress) => void
  onRemarks?: (remarks: readonly Remark[]) => Promise<void>
}

export interface StagedRecords {
  counts: ReadCounts
  /** Of kinds, ids and places, in the order of the records. */
  sha256: Buffer
}

/** Reads a source into the database, where it is sorted. What an earlier run left there is dropped. */
export async function stage(
  db: Autocommit,
  { options, created_at }: Pick<ImportRow, 'options' | 'created_at'>,
  source: AnySource,
  { onProgress, onRemarks }: Listeners,
): Promise<StagedRecords> {
  await deleteRecords(db)
  const counts: ReadCounts = {}
  const hash = createHash('sha256')
  let records: Staged[] = []
  let remarks: Remark[] = []
  let done = 0
  const now = created_at.getTime() * 1000
  const flush = async () => {
    for (const { kind, source_id, at } of records) hash.update(JSON.stringify([kind, source_id, at]))
    await insertRecords(db, records)
    await onRemarks?.(remarks)
    done += records.length
    records = []
    remarks = []
    onProgress({ phase: 'read', done, total: null })
  }
  for await (const record of source.records()) {
    if (isRemark(record)) {
      remarks.push(record)
      if (record.kind === 'skipped' && record.of !== 'entry') count(counts, record.of, 1)
    } else if (isTooLong(record)) {
      remarks.push(remark('skipped', record.kind, 'has an id that is too long', idOf(record)))
      count(counts, record.kind, 1)
    } else {
      count(counts, record.kind, 0)
      if (isFuture(record, now))
        remarks.push(
          remark(
            'warning',
            record.kind,
            'has a time in the future, and takes that of the import',
            idOf(record),
          ),
        )
      records.push(stagedOf(record, now, options as ReadOptions))
    }
    if (records.length + remarks.length >= BATCH) await flush()
  }
  await flush()
  await analyzeTables(db, ['import_records'])
  return { counts, sha256: hash.digest() }
}
