import type pg from 'pg'

export async function readVersion(client: pg.Client): Promise<{ number: string; fsync: string } | undefined> {
  const { rows } = await client.query<{ number: string; fsync: string }>(
    "select current_setting('server_version_num') as number, current_setting('fsync') as fsync",
  )
  return rows[0]
}

export async function readClock(client: pg.Client): Promise<Date | undefined> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now
}
