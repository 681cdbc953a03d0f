import { insertArchived } from '../../audit/archive-queries.js'
import type { Tx } from '../../platform/db/index.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { phase, type Rows } from './phase.js'

/** The log of another server is kept beside the one here: its chain was sealed there and goes on nowhere. */
async function writeAudit(tx: Tx, run: Run, rows: Rows<'audit'>): Promise<Outcome> {
  const written = await insertArchived(
    tx,
    run.row,
    rows.map(({ body }) => body),
  )
  return { ...outcome(), written, merged: rows.length - written }
}

export const audit = phase('audit', 2000, writeAudit)
