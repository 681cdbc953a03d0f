import { Client, escapeIdentifier } from 'pg'

export interface Table {
  name: string
  /** Those that hold what was written; generated ones are computed again. */
  columns: string[]
  /** Of a plain table only its own rows, of a partitioned one those of its partitions. */
  partitioned: boolean
  bytes: number
  /** A standby has no rows of unlogged tables, and refuses to be asked for them. */
  unreadable: boolean
}

export interface ForeignKey {
  name: string
  from: string
  to: string
  deferrable: boolean
}

export interface Trigger {
  table: string
  name: string
}

/** Connects for a long piece of work, in which every value is written the same way on any server. */
export async function connect(url: string, application_name: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name, keepAlive: true })
  // A connection that is lost fails the statement at hand; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  await client.query(`
    set client_encoding = 'UTF8';
    set search_path = public;
    set datestyle = 'ISO, YMD';
    set intervalstyle = 'postgres';
    set timezone = 'UTC';
    set extra_float_digits = 1;
    set bytea_output = 'hex';
    set xmloption = 'content';
    set row_security = off;
    set statement_timeout = 0;
    set idle_in_transaction_session_timeout = 0`)
  return client
}

/** The names of the applied migrations, in order; none where there is no list of them. */
export async function listMigrations(client: Client): Promise<string[]> {
  const { rows: list } = await client.query(`select to_regclass('public.schema_migrations')::text as name`)
  if (list[0].name === null) return []
  const { rows } = await client.query('select name from public.schema_migrations order by name collate "C"')
  return rows.map(({ name }) => name)
}

/** The tables whose rows a backup holds: all but the list of migrations and what extensions own. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query(`
    select c.relname::text as name, c.relkind = 'p' as partitioned, pg_table_size(c.oid)::text as bytes,
      c.relpersistence = 'u' and pg_is_in_recovery() as unreadable,
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum
      ) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'schema_migrations'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`)
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
}

/** The foreign keys between the tables of a backup. */
export async function listForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query(`
    select k.conname::text as name, f.relname::text as "from", t.relname::text as "to", k.condeferrable as deferrable
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0
      and f.relnamespace = 'public'::regnamespace and t.relnamespace = 'public'::regnamespace
    order by f.relname collate "C", k.conname collate "C"`)
  return rows
}

/** The triggers that would fire for rows that are being restored. */
export async function listTriggers(client: Client): Promise<Trigger[]> {
  const { rows } = await client.query(`
    select c.relname::text as "table", t.tgname::text as name
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgparentid = 0 and t.tgenabled = 'O'
    order by c.relname collate "C", t.tgname collate "C"`)
  return rows
}

/** The sequences and their values. They are not transactional: read them after the rows' snapshot is taken. */
export async function listSequences(client: Client) {
  const { rows: names } = await client.query(`
    select c.relname::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
      and not (c.relpersistence = 'u' and pg_is_in_recovery())
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`)
  const sequences: { name: string; last_value: string; is_called: boolean }[] = []
  for (const { name } of names) {
    const { rows } = await client.query(`select last_value::text, is_called from ${quoted(name)}`)
    sequences.push({ name, ...rows[0] })
  }
  return sequences
}

/** Puts each table after those that it refers to; where tables refer to each other in a circle, one has to go first. */
export function orderByReference(tables: Table[], keys: ForeignKey[]): Table[] {
  const ordered = new Set<Table>()
  const visited = new Set<string>()
  const byName = new Map(tables.map((table) => [table.name, table]))
  const visit = (table: Table) => {
    if (visited.has(table.name)) return
    visited.add(table.name)
    for (const { from, to } of keys) {
      const next = from === table.name ? byName.get(to) : undefined
      if (next) visit(next)
    }
    ordered.add(table)
  }
  tables.forEach(visit)
  return [...ordered]
}

/** A name in the schema that we use, as it is written in SQL. */
export function quoted(name: string): string {
  return `public.${escapeIdentifier(name)}`
}
