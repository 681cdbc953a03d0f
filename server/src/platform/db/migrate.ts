import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { LOCKS } from './locks.js'

const FOLDER = new URL('../../../migrations/', import.meta.url)

export async function listMigrations(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files.filter((file) => /^\d{4}-[\w-]+\.sql$/.test(file)).sort()
}

export function readMigration(name: string): Promise<string> {
  return readFile(new URL(name, FOLDER), 'utf8')
}

/** SHA-256 of the text with LF line ends, whatever a checkout made of them. */
async function checksumOf(name: string): Promise<string> {
  const text = (await readMigration(name)).replaceAll('\r\n', '\n')
  return createHash('sha256').update(text).digest('hex')
}

/** Migrations that had another text for a time, with the same result; databases that applied it have its checksum. */
const OTHER_TEXTS: Readonly<Record<string, string>> = {
  '0110-counted-messages.sql': '50f664813a2de8f3c587452bb0c2802ea6009dcb6f054e74c93e64d3af848b99',
}

interface Applied {
  name: string
  /** Null where a version applied it that kept no checksums. */
  checksum: string | null
}

/** How the migrations of a database compare with those of this version. */
export interface MigrationState {
  applied: string[]
  /** Not applied yet. */
  waiting: string[]
  /** Applied, and not part of this version. */
  unknown: string[]
  /** Applied with another text than this version has. */
  changed: string[]
  /** Applied, without a checksum to compare. */
  unsigned: string[]
}

async function listApplied(client: pg.Client): Promise<Applied[]> {
  const { rows: found } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass('schema_migrations') and attnum > 0`,
  )
  const columns = found.map(({ name }) => name)
  if (columns.length === 0) return []
  const checksum = columns.includes('checksum') ? 'checksum' : 'null as checksum'
  const { rows } = await client.query<Applied>(
    `select name, ${checksum} from schema_migrations order by name collate "C"`,
  )
  return rows
}

/** Compares the migrations of a database with those of this version, and writes nothing. */
export async function inspectMigrations(client: pg.Client): Promise<MigrationState> {
  const [applied, all] = [await listApplied(client), await listMigrations()]
  const names = applied.map(({ name }) => name)
  const state: MigrationState = {
    applied: names,
    waiting: all.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !all.includes(name)),
    changed: [],
    unsigned: applied.filter(({ checksum }) => checksum === null).map(({ name }) => name),
  }
  for (const { name, checksum } of applied) {
    if (checksum === null || state.unknown.includes(name)) continue
    if (checksum !== (await checksumOf(name)) && checksum !== OTHER_TEXTS[name]) state.changed.push(name)
  }
  return state
}

/** Why this version must not work on such a database; undefined where it may. */
export function migrationFault({ unknown, changed }: MigrationState): string | undefined {
  if (unknown.length > 0)
    return `This database was made by a newer Parley (it has ${unknown.join(', ')}). Start that version.`
  if (changed.length > 0)
    return `This database applied ${changed.join(', ')} with another text than this version has: its schema is not the one that this version works on. Start the version that made it, or restore a backup.`
  return undefined
}

async function keepChecksums(client: pg.Client, names: readonly string[]) {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  await client.query('alter table schema_migrations add column if not exists checksum text')
  for (const name of names) {
    const values = [name, await checksumOf(name)]
    await client.query('update schema_migrations set checksum = $2 where name = $1', values)
  }
}

async function apply(client: pg.Client, name: string) {
  const [sql, checksum] = [await readMigration(name), await checksumOf(name)]
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

/** Views hold the columns of their tables as of now, and keep tables from being changed. */
async function refreshLeash(client: pg.Client) {
  const { rows } = await client.query(`select to_regproc('refresh_leash') is not null as known`)
  if (rows[0]?.known) await client.query('select refresh_leash()')
}

export interface MigrateOptions {
  /** Of these migrations alone. */
  only?: readonly string[]
  /** Called before each migration of a database that has data: they take as long as there is data. */
  onMigration?: (name: string, place: { number: number; of: number }) => void
  /** Called where another process migrates, before this one waits for it. */
  onWait?: () => void
}

async function takeTurn(client: pg.Client, onWait?: () => void) {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [LOCKS.migrate])
  if (rows[0]?.taken) return
  onWait?.()
  await client.query('select pg_advisory_lock($1)', [LOCKS.migrate])
}

/** Brings the database to the newest schema, one process at a time; returns the migrations it applied. */
export async function migrate(
  url: string,
  { only, onMigration, onWait }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await takeTurn(client, onWait)
    const state = await inspectMigrations(client)
    const fault = migrationFault(state)
    if (fault) throw new Error(fault)
    await keepChecksums(client, state.unsigned)
    const waiting = state.waiting.filter((name) => !only || only.includes(name))
    if (waiting.length > 0) await client.query('drop schema if exists leash cascade')
    for (const [n, name] of waiting.entries()) {
      if (state.applied.length > 0) onMigration?.(name, { number: n + 1, of: waiting.length })
      await apply(client, name)
    }
    if (waiting.length > 0) await refreshLeash(client)
    return waiting
  } finally {
    await client.end()
  }
}
