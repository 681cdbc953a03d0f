import pg from 'pg'
import type { Config } from '../../platform/config.js'
import { inspectMigrations, migrationFault } from '../../platform/db/migrate.js'
import { findWorkspaceIn } from '../queries.js'
import { noWorkspace, placeOf, type Reached, reachDatabase } from '../reach.js'
import { type Finding, PATIENCE_MS, reasonOf } from './finding.js'
import { readClock, readVersion } from './queries.js'

const SKEW_MS = 2_000
const OLDEST_MAJOR = 15

export interface DatabaseFindings {
  findings: Finding[]
  /** The secret of the workspace, by which its servers are known; null where there is none to be read. */
  secret: Buffer | null
}

/** Tries the database: whether it answers, its version, its schema, the workspace in it, and its clock. */
export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  const check = 'database'
  let reached: Reached | undefined
  try {
    reached = await reachDatabase(config)
    const connection = { connectionString: reached.url, connectionTimeoutMillis: PATIENCE_MS }
    const client = new pg.Client(connection)
    await client.connect()
    try {
      return await lookInto(client, config, reached)
    } finally {
      await client.end()
    }
  } catch (error) {
    const advice = config.database_url
      ? 'Check DATABASE_URL, and that the database is up and lets this host in.'
      : 'See postgres.log in the data folder.'
    const missing = noWorkspace(config).message === (error as Error).message
    const finding: Finding = { check, state: 'failed', detail: reasonOf(error) }
    return { findings: [missing ? finding : { ...finding, advice }], secret: null }
  } finally {
    await reached?.close()
  }
}

async function lookInto(client: pg.Client, config: Config, reached: Reached): Promise<DatabaseFindings> {
  const version = await checkVersion(client, reached.through)
  const [schema, clock] = [await checkSchema(client), await checkClock(client)]
  const { finding, secret } = await checkWorkspace(client, config)
  return { findings: [version, schema, finding, clock], secret }
}

async function checkVersion(client: pg.Client, through: string): Promise<Finding> {
  const check = 'database'
  const version = await readVersion(client)
  const major = Math.floor(Number(version?.number) / 10_000)
  const detail = `PostgreSQL ${major} (${through}).`
  if (major < OLDEST_MAJOR) {
    const advice = `Parley needs PostgreSQL ${OLDEST_MAJOR} or newer.`
    return { check, state: 'failed', detail, advice }
  }
  if (version?.fsync !== 'on') {
    const advice = 'Turn fsync on, or a power cut loses messages.'
    return { check, state: 'warning', detail: `${detail} fsync is off.`, advice }
  }
  return { check, state: 'ok', detail }
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  const check = 'schema'
  const state = await inspectMigrations(client)
  const fault = migrationFault(state)
  if (fault) {
    const advice = 'Put the version in place that this database belongs to.'
    return { check, state: 'failed', detail: fault, advice }
  }
  const { applied, waiting } = state
  if (waiting.length === 0) {
    const detail = `${applied.length} migrations applied, as this version has them.`
    return { check, state: 'ok', detail }
  }
  const detail = `${waiting.length} migrations wait.`
  const advice = 'The next start applies them; or run `parley migrate`.'
  return { check, state: 'warning', detail, advice }
}

async function checkWorkspace(client: pg.Client, config: Config) {
  const check = 'workspace'
  const row = await findWorkspaceIn(client)
  if (!row) {
    const finding: Finding = { check, state: 'failed', detail: noWorkspace(config).message }
    return { finding, secret: null }
  }
  const since = row.created_at.toISOString().slice(0, 10)
  const finding: Finding = {
    check,
    state: 'ok',
    detail: `${row.name} in ${placeOf(config)}, since ${since}.`,
  }
  return { finding, secret: row.secret }
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const check = 'clock'
  const before = Date.now()
  const now = await readClock(client)
  const middle = (before + Date.now()) / 2
  const skew_ms = Math.abs((now?.getTime() ?? 0) - middle)
  const detail = `The clocks of this host and of the database differ by ${Math.round(skew_ms)} ms.`
  if (skew_ms <= SKEW_MS) return { check, state: 'ok', detail }
  const advice = 'Let both hosts keep time by NTP: schedules follow the clock.'
  return { check, state: 'failed', detail, advice }
}
