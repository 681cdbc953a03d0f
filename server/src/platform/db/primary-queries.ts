import type pg from 'pg'

/** The timeline that a host writes on; null of a standby. */
export async function findTimeline(client: pg.Client): Promise<number | null> {
  const { rows: found } = await client.query<{ file: string | null }>(
    'select case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as file',
  )
  const file = found[0]?.file
  return file ? Number.parseInt(file.slice(0, 8), 16) : null
}
