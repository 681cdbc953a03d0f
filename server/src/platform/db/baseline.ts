import { sql } from 'kysely'
import { type Autocommit, type Db, read } from './index.js'

/** Moves forward only: processes compare what they keep in memory with it. */
const FORWARD_ONLY = 'admission_epoch'
const KEPT = ['schema_migrations', FORWARD_ONLY]

interface Table {
  name: string
  /** Without those that the database computes. */
  columns: string
}

async function listTables(db: Db): Promise<Table[]> {
  const rows = await read(
    db,
    sql<Table>`
    select quote_ident(t.tablename) as name,
      (select string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position)
        from information_schema.columns c
        where c.table_schema = 'public' and c.table_name = t.tablename and c.is_generated = 'NEVER') as columns
    from pg_tables t where t.schemaname = 'public' and t.tablename <> all(${KEPT}) order by 1`,
  )
  return rows
}

async function isEmpty(db: Db, { name }: Table): Promise<boolean> {
  const rows = await read(db, sql`select from ${sql.raw(name)} limit 1`)
  return rows.length === 0
}

async function listSequences(db: Db): Promise<string[]> {
  const rows = await read(
    db,
    sql<{ call: string }>`
    select format('perform setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
      coalesce(last_value, start_value), last_value is not null) as call
    from pg_sequences where schemaname = 'public'`,
  )
  return rows.map(({ call }) => call)
}

/**
 * Remembers all rows and sequences as they are now, in a schema of its own. Only for databases whose content is
 * thrown away: a sandbox, and tests. The role must be a superuser, because triggers and foreign keys are off meanwhile.
 */
export async function saveBaseline(db: Autocommit): Promise<void> {
  const tables = await listTables(db)
  const filled: Table[] = []
  for (const table of tables) if (!(await isEmpty(db, table))) filled.push(table)
  const steps = [
    // Without the locks, rows that a request writes meanwhile would be in the way of those that come back.
    `lock table ${tables.map(({ name }) => `public.${name}`).join(', ')} in exclusive mode`,
    ...tables.map(({ name }) => `delete from public.${name}`),
    ...filled.map(
      ({ name, columns }) =>
        `insert into public.${name} (${columns}) overriding system value select ${columns} from baseline.${name}`,
    ),
    ...(await listSequences(db)),
    `update public.${FORWARD_ONLY} set epoch = epoch + 1`,
  ]
  const text = [
    'drop schema if exists baseline cascade',
    'create schema baseline',
    ...filled.map(({ name }) => `create table baseline.${name} as table public.${name}`),
    // Before a request that waits for it notices, and fails.
    `create function baseline.restore() returns void language plpgsql set session_replication_role = replica
     set deadlock_timeout = '50ms' as $$ begin ${steps.join('; ')}; end $$`,
  ]
  await db.transaction().execute(async (tx) => {
    for (const statement of text) await sql.raw(statement).execute(tx)
  })
}

const ATTEMPTS = 100
const DEADLOCK = '40P01'

/** Puts all rows and sequences back to where `saveBaseline` saw them, also between the writes of requests. */
export async function restoreBaseline(db: Autocommit): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql`select baseline.restore()`.execute(db)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || attempt === ATTEMPTS) throw error
    }
  }
}
