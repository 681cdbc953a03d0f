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

/** The key that encrypted the last files; null where there is none, also in a database from before it was noted. */
export async function readFilesKey(client: pg.Client): Promise<Buffer | null> {
  const { rows } = await client.query<{ id: Buffer | null }>(
    `select decode(substr(to_jsonb(w) ->> 'files_key_id', 3), 'hex') as id from workspace w`,
  )
  return rows[0]?.id ?? null
}

/** Where the file that was sent last is kept. */
export async function findNewestFile(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ key: string }>(
    'select key from files where message_id is not null order by id desc limit 1',
  )
  return rows[0]?.key
}
