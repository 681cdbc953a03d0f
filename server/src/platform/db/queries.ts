import type pg from 'pg'
import { type Pool, rows } from './index.js'

/** Rejects where the database does not answer. */
export async function ping(pool: Pool): Promise<void> {
  await rows(pool, 'select 1')
}

/** Ends the statement that this connection runs now. */
export async function cancelStatement(pool: Pool, processId: number): Promise<void> {
  await rows(pool, 'select pg_cancel_backend($1)', [processId])
}

/** The timeline that a host writes on; null of a standby. */
export async function findTimeline(client: pg.Client): Promise<number | null> {
  const { rows: found } = await client.query<{ file: string | null }>(
    'select case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as file',
  )
  const file = found[0]?.file
  return file ? Number.parseInt(file.slice(0, 8), 16) : null
}
