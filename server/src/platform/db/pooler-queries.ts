import type pg from 'pg'

/** Makes settings the defaults of this role in this database, where they are not already. */
export async function keepAsDefaults(client: pg.Client, lock: number, settings: Record<string, string>) {
  await client.query('begin')
  // Two processes that start together would otherwise change the same row of the catalog.
  await client.query('select pg_advisory_xact_lock($1)', [lock])
  const { rows } = await client.query<{ setting: string }>(`
    select unnest(setconfig) as setting from pg_db_role_setting
    where setrole = current_user::regrole and setdatabase = (select oid from pg_database where datname = current_database())`)
  const known = new Set(rows.map(({ setting }) => setting.toLowerCase()))
  for (const [name, value] of Object.entries(settings)) {
    if (known.has(`${name}=${value}`.toLowerCase())) continue
    const command = await client.query<{ text: string }>(
      `select format('alter role %I in database %I set %I = %L', current_user, current_database(), $1::text, $2::text) as text`,
      [name, value],
    )
    await client.query(command.rows[0]?.text ?? '')
  }
  await client.query('commit')
}

/** What a connection is set to, by the names of the settings. */
export async function readSettings(
  client: pg.Client,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select lower(name) as name, setting from pg_settings where lower(name) = any($1)',
    [names],
  )
  return new Map(rows.map(({ name, setting }) => [name, setting]))
}
