import { access, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@parley/postgres'
import pg from 'pg'
import type { Config } from '../platform/config.js'

export interface Reached {
  url: string
  /** Who has the database open: an address of its own, a server on the data folder, or nobody before us. */
  through: 'DATABASE_URL' | 'running server' | 'started for this command'
  close(): Promise<void>
}

async function runningUrl(folder: string): Promise<string | undefined> {
  const socket = join(folder, 'socket')
  try {
    await access(join(socket, '.s.PGSQL.5432'))
    const url = `postgres://parley@/parley?host=${encodeURIComponent(await realpath(socket))}&port=5432&sslmode=disable`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.end()
    return url
  } catch {
    return undefined
  }
}

/** The database of this configuration, also while a server runs on it. */
export async function reachDatabase(config: Config): Promise<Reached> {
  if (config.database_url) return { url: config.database_url, through: 'DATABASE_URL', close: async () => {} }
  const folder = join(config.data_dir, 'postgres')
  const running = await runningUrl(folder)
  if (running) return { url: running, through: 'running server', close: async () => {} }
  const postgres = await startEmbeddedPostgres({ folder })
  return { url: postgres.url, through: 'started for this command', close: () => postgres.stop() }
}
