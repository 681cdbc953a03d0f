import type { Db } from '../platform/db/index.js'
import { type Counts, type ImportRow, listRemarks } from './queries.js'

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
