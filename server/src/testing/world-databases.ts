import pg from 'pg'
import { cloneWorld, type TestDatabase } from './cluster.js'

type Queries = Pick<pg.Pool, 'query'>

const GROWN_BYTES = 16 * 1024 * 1024

/** After a test with many rows the emptied tables are still long, and each later test would read through them. */
export async function isGrown(db: Queries): Promise<boolean> {
  const { rows } = await db.query(
    `select sum(pg_relation_size(oid)) > $1 as grown from pg_class where oid >= 16384 and relkind = 'r'`,
    [GROWN_BYTES],
  )
  return rows[0].grown
}

/** Differs after a change of tables, functions or triggers, which a reset does not undo. */
export async function readSchema(db: Queries): Promise<string> {
  const catalogs = ['pg_class', 'pg_proc', 'pg_trigger', 'pg_constraint']
  const counts = catalogs.map(
    (name) => `(select count(*) || ' ' || max(xmin::text::bigint) from ${name} where oid >= 16384)`,
  )
  const { rows } = await db.query(`select concat_ws(',', ${counts.join(', ')}) as schema`)
  return rows[0].schema
}

/** Whether somebody else still writes here: a process that a test left to its end, or another server. */
async function isInUse(db: Queries): Promise<boolean> {
  const { rows } = await db.query(
    `select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend') as used`,
  )
  return rows[0].used
}

/** Of worlds that ended, put back to their start: a tenth of the cost of a new one. */
const free: TestDatabase[] = []
/** Of a database that nothing has changed. */
let schema: string | undefined

async function connected<T>({ url }: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c session_replication_role=replica' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function giveBack(database: TestDatabase) {
  const usable = await connected(database, async (client) => {
    if (await isInUse(client)) return false
    if ((await readSchema(client)) !== schema || (await isGrown(client))) return false
    await client.query('select baseline.restore()')
    return true
  })
  if (usable) free.push(database)
  else await database.drop()
}

/** A database with the cast of a world, as nobody has used it. */
export async function takeWorld(): Promise<TestDatabase> {
  const database = free.pop() ?? (await cloneWorld())
  schema ??= await connected(database, readSchema)
  return { url: database.url, drop: () => giveBack(database) }
}
