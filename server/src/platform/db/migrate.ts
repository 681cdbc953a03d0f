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

async function appliedMigrations(client: pg.Client): Promise<Set<string>> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  return new Set(rows.map((row) => row.name))
}

async function apply(client: pg.Client, name: string) {
  const sql = await readMigration(name)
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

/** Brings the database to the newest schema, one process at a time; tells which migrations it applied. */
export async function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCKS.migrate])
    const applied = await appliedMigrations(client)
    const all = await listMigrations()
    const unknown = [...applied].filter((name) => !all.includes(name))
    if (unknown.length) {
      throw new Error(
        `This database was made by a newer Parley (it has ${unknown.join(', ')}). Start that version.`,
      )
    }
    const waiting = all.filter((name) => !applied.has(name) && (!only || only.includes(name)))
    for (const name of waiting) await apply(client, name)
    return waiting
  } finally {
    await client.end()
  }
}
