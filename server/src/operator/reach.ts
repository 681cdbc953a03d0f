import { join } from 'node:path'
import { findRunning, hasCluster, startEmbeddedPostgres } from '@parley/postgres'
import type { Config } from '../platform/config.js'
import { findPrimary } from '../platform/db/primary.js'
import { OperatorError } from './errors.js'

export interface Reached {
  url: string
  /** Who has the database open: an address of its own, a server on the data folder, or nobody before us. */
  through: 'DATABASE_URL' | 'running server' | 'started for this command'
  close(): Promise<void>
}

type Where = Pick<Config, 'data_dir' | 'database_url'>

/** What an operator calls the database: the data folder, or its address without the credentials. */
export function placeOf({ data_dir, database_url }: Where): string {
  if (!database_url) return data_dir
  const { host, name } = partsOf(database_url)
  return `database ${name || '(default)'} on ${host || 'a local socket'}`
}

function partsOf(database_url: string) {
  const [, host = '', name = ''] = /^\w+:\/\/(?:[^/@]*@)?([^/?]*)\/?([^?]*)/.exec(database_url) ?? []
  return { host, name }
}

/** The same in no language: `/var/parley`, or `postgres://db/parley`. */
export function addressOf({ data_dir, database_url }: Where): string {
  if (!database_url) return data_dir
  const { host, name } = partsOf(database_url)
  return `postgres://${host}/${name}`
}

export function noWorkspace(config: Where): OperatorError {
  const advice = config.database_url
    ? 'check DATABASE_URL, or start the server on it first.'
    : 'name its data folder with --data-dir or PARLEY_DATA_DIR, or start the server there first.'
  return new OperatorError(`There is no workspace in ${placeOf(config)}: ${advice}`)
}

/** The database of this configuration, also while a server runs on it. One that is not there is not made. */
export async function reachDatabase(config: Where): Promise<Reached> {
  if (!config.database_url && !(await hasCluster(join(config.data_dir, 'postgres'))))
    throw noWorkspace(config)
  return makeDatabase(config)
}

/** The same, or a new and empty one: for a restore. */
export async function makeDatabase(config: Where): Promise<Reached> {
  if (config.database_url)
    return { url: await findPrimary(config.database_url), through: 'DATABASE_URL', close: async () => {} }
  const folder = join(config.data_dir, 'postgres')
  const running = await findRunning(folder)
  if (running) return { url: running, through: 'running server', close: async () => {} }
  const postgres = await startEmbeddedPostgres({ folder })
  return { url: postgres.url, through: 'started for this command', close: () => postgres.stop() }
}
