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

export async function reportOf(db: Db, row: ImportRow, lost: readonly string[]): Promise<ImportReport> {
  const remarks = await listRemarks(db, row.id)
  return {
    id: row.id,
    source: row.source,
    workspace: row.workspace,
    archive: row.archive,
    state: row.state,
    started_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    counts: row.counts,
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
