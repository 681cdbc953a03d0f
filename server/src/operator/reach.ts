import { join } from 'node:path'
import { findRunning, startEmbeddedPostgres } from '@parley/postgres'
import type { Config } from '../platform/config.js'

export interface Reached {
  url: string
  /** Who has the database open: an address of its own, a server on the data folder, or nobody before us. */
  through: 'DATABASE_URL' | 'running server' | 'started for this command'
  close(): Promise<void>
}

/** The database of this configuration, also while a server runs on it. */
export async function reachDatabase(config: Config): Promise<Reached> {
  if (config.database_url) return { url: config.database_url, through: 'DATABASE_URL', close: async () => {} }
  const folder = join(config.data_dir, 'postgres')
  const running = await findRunning(folder)
  if (running) return { url: running, through: 'running server', close: async () => {} }
  const postgres = await startEmbeddedPostgres({ folder })
  return { url: postgres.url, through: 'started for this command', close: () => postgres.stop() }
}
