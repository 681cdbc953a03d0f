import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@parley/postgres'
import pg from 'pg'
import { bootstrap } from '../accounts/bootstrap.js'
import { findDatabaseTemplate } from '../database-template.js'
import { systemClock } from '../platform/clock.js'
import { readConfig } from '../platform/config.js'
import { saveBaseline } from '../platform/db/baseline.js'
import { type Autocommit, openDb, openPool } from '../platform/db/index.js'
import { migrate } from '../platform/db/migrate.js'
import { createPasswords, LEAST_COST } from '../platform/passwords.js'
import { addCast, OWNER } from './cast.js'

export { OWNER } from './cast.js'

/** A workspace with its owner alone. */
const TEMPLATE = 'parley_template'
/** The same with the cast of a world, so that a test does not pay for adding it. */
const WORLD_TEMPLATE = 'parley_world'

/** The same server, another database. A url of a socket has no host, so it is no URL that could be parsed. */
function withDatabase(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}

async function administer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function withDb(url: string, work: (db: Autocommit) => Promise<unknown>) {
  const db = openDb(openPool({ url, size: 1, onError: () => {} }))
  await work(db)
  await db.destroy()
}

/** The workspace is in the template, so that a test does not pay for hashing the owner's password. */
async function makeWorkspace(url: string) {
  const config = readConfig({ PARLEY_OWNER_TOKEN: OWNER.token, PARLEY_OWNER_PASSWORD: OWNER.password })
  await withDb(url, (db) => bootstrap(db, { clock: systemClock, config }, createPasswords(LEAST_COST)))
}

/** One cluster for a whole run of tests, with migrated templates that tests clone. */
export async function startTestCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const template = await findDatabaseTemplate()
  const postgres = await startEmbeddedPostgres({ folder, durable: false, maxConnections: 300, template })
  await migrate(postgres.url)
  await administer(postgres.url, `create database ${TEMPLATE} template parley`)
  await makeWorkspace(withDatabase(postgres.url, TEMPLATE))
  await administer(postgres.url, `create database ${WORLD_TEMPLATE} template ${TEMPLATE}`)
  await withDb(withDatabase(postgres.url, WORLD_TEMPLATE), async (db) => {
    await addCast(db, systemClock)
    await saveBaseline(db)
  })
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

let own: ReturnType<typeof startTestCluster> | undefined

/** The run's cluster; a test file started by itself gets one of its own. */
export async function clusterUrl(): Promise<string> {
  const given = process.env.TEST_CLUSTER_URL
  if (given) return given
  own ??= startTestCluster()
  return (await own).url
}

export async function stopOwnCluster() {
  await (await own)?.stop()
}

let counter = 0

/** A fresh database with a workspace; `drop` removes it. */
export function cloneDatabase() {
  return createDatabase(TEMPLATE)
}

/** The same with the cast of a world. */
export function cloneWorld() {
  return createDatabase(WORLD_TEMPLATE)
}

/** A database without a single table. */
export function emptyDatabase() {
  return createDatabase('template0')
}

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const cluster = await clusterUrl()
  counter += 1
  const name = `t_${process.pid}_${counter}`
  await administer(cluster, `create database ${name} template ${template} strategy file_copy`)
  return {
    url: withDatabase(cluster, name),
    drop: () => administer(cluster, `drop database if exists ${name} with (force)`),
  }
}
