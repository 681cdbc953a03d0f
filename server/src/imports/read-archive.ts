import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import {
  allowLong,
  type Counts,
  deleteRemarks,
  findImport,
  hasRecords,
  type ImportRow,
  markRepeated,
  tellApartByText,
  updateCounts,
  updateImport,
  upsertRemarks,
} from './queries.js'
import type { AnySource } from './run-state.js'
import { type Progress, type ReadCounts, stage } from './stage.js'

type Report = (progress: Progress) => void

/** Reads the archive where its records do not wait to be written: at the start, and after a crash of the database. */
export async function readWhereNeeded(
  ctx: Context,
  row: ImportRow,
  source: AnySource,
  onProgress: Report,
): Promise<ImportRow> {
  if (row.state === 'writing') {
    if (await hasRecords(ctx.db)) return row
    // Until all records are there again: a kill while they are read must not leave a part of them to be written.
    await transaction(ctx, (tx) => updateImport(tx, row.id, { state: 'reading' }))
  }
  if (row.records_sha256 === null || !(await readAgain(ctx, row, source, onProgress)))
    await readFirst(ctx, row, source, onProgress)
  return (await findImport(ctx.db, row.id)) as ImportRow
}

/**
 * Reads the records that the crash took. Counts, remarks and the place of writing were committed together and stay. False
 * where the archive gives other records than before: it is read as a new one then, and what has keys is not written twice.
 */
async function readAgain(ctx: Context, row: ImportRow, source: AnySource, onProgress: Report) {
  const { sha256 } = await stage(ctx.autocommit, row, source, { onProgress })
  if (!row.records_sha256?.equals(sha256)) {
    await transaction(ctx, (tx) => updateImport(tx, row.id, { records_sha256: null }))
    return false
  }
  await transaction(ctx, async (tx) => {
    await sortOut(tx, source)
    await updateImport(tx, row.id, { state: 'writing' })
  })
  return true
}

async function readFirst(ctx: Context, row: ImportRow, source: AnySource, onProgress: Report) {
  await transaction(ctx, (tx) => deleteRemarks(tx, row.id))
  const { counts, sha256 } = await stage(ctx.autocommit, row, source, {
    onProgress,
    onRemarks: (remarks) => upsertRemarks(ctx.autocommit, row.id, remarks),
  })
  await transaction(ctx, async (tx) => {
    await sortOut(tx, source)
    const start = { phase: 0, place_at: -1, place_seq: 0 }
    await updateImport(tx, row.id, { state: 'writing', ...start, records_sha256: sha256 })
    await updateCounts(tx, row.id, countsOf(counts))
  })
}

async function sortOut(tx: Tx, source: AnySource) {
  await allowLong(tx)
  if (source.name === 'mattermost') await tellApartByText(tx)
  await markRepeated(tx)
}

function countsOf(read: ReadCounts): Counts {
  return Object.fromEntries(
    Object.entries(read).map(([kind, { read, skipped }]) => [kind, { read, written: 0, merged: 0, skipped }]),
  )
}
