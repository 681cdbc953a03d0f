import pg from 'pg'
import { SESSION } from './index.js'
import { LOCKS } from './locks.js'
import { keepAsDefaults, readSettings } from './pooler-queries.js'

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * A pooler shares connections that it opened itself, so what each is set to has to come from the database: as defaults
 * of the role. Fails where the pooler gives something else, for example connections that are older than the defaults.
 */
export async function preparePooler(direct: string, pooler: string): Promise<void> {
  await withClient(direct, (client) => keepAsDefaults(client, LOCKS.migrate, SESSION))
  const settings = await withClient(pooler, (client) => readSettings(client, Object.keys(SESSION)))
  for (const [name, wanted] of Object.entries(SESSION)) {
    const found = settings.get(name)
    if (found !== wanted)
      throw new Error(
        `Connections of DATABASE_POOLER_URL have ${name} = ${found}, not ${wanted}: it must lead to the same database as the same user; where it does, let the pooler open its connections anew (RECONNECT).`,
      )
  }
}
