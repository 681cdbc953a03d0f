import { RECORD_KINDS, type ReadOptions } from '@parley/imports'
import type { Db } from '../platform/db/index.js'
import { type Counts, type ImportRow, listRemarks } from './queries.js'

/** What a run needs, as its check has found. */
export interface Estimate {
  seconds: number
  file_bytes: number
  database_bytes: number
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/** The estimate in words. */
export function needsOf({ seconds, file_bytes, database_bytes }: Estimate): string {
  return `about ${seconds} s and the time to copy files, ${megabytes(database_bytes)} in the database, ${megabytes(file_bytes)} of files`
}

export interface ImportReport {
  id: number
  source: string
  workspace: string
  archive: string
  /** In hexadecimal; null of a folder and of a check. */
  archive_sha256: string | null
  /** Who imported it. */
  user_id: number
  /** The choices that were made, with readable times. */
  options: Record<string, unknown>
  state: string
  started_at: string
  finished_at: string | null
  /** Read = written + merged + skipped, for each kind. */
  counts: Counts
  /** Null but for a check. */
  estimate: Estimate | null
  remarks: { kind: string; of: string; reason: string; count: number; ids: string[] }[]
  /** What this kind of source never holds. */
  lost: readonly string[]
}

/** A check is rolled back, and its number with it. */
export function titleOf({ id, estimate }: Pick<ImportReport, 'id' | 'estimate'>): string {
  return estimate ? 'Check' : `Import ${id}`
}

function choicesOf({ since, until, ...others }: ReadOptions): Record<string, unknown> {
  const readable = (at: number) => new Date(at / 1000).toISOString()
  return {
    ...others,
    ...(since !== undefined && { since: readable(since) }),
    ...(until !== undefined && { until: readable(until) }),
  }
}

/** In the order in which records are written. */
function inOrder(counts: Counts): Counts {
  const place = ([kind]: [string, unknown]) => {
    const at = (RECORD_KINDS as readonly string[]).indexOf(kind)
    return at < 0 ? RECORD_KINDS.length : at
  }
  return Object.fromEntries(Object.entries(counts).sort((one, other) => place(one) - place(other)))
}

export async function reportOf(db: Db, row: ImportRow, lost: readonly string[]): Promise<ImportReport> {
  const remarks = await listRemarks(db, row.id)
  return {
    id: row.id,
    source: row.source,
    workspace: row.workspace,
    archive: row.archive,
    archive_sha256: row.archive_sha256?.toString('hex') ?? null,
    user_id: row.user_id,
    options: choicesOf(row.options as ReadOptions),
    state: row.state,
    started_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    counts: inOrder(row.counts),
    estimate: null,
    remarks: remarks.map(({ kind, record_kind, reason, count, ids }) => ({
      kind,
      of: record_kind,
      reason,
      count,
      ids,
    })),
    lost,
  }
}
