import pg from 'pg'
import type { Config } from '../../platform/config.js'
import { inspectMigrations } from '../../platform/db/migrate.js'
import { findWorkspaceIn } from '../queries.js'
import { addressOf, noWorkspace, type Reached, reachDatabase } from '../reach.js'
import { type Finding, finding, PATIENCE_MS, reasonOf } from './finding.js'
import { findNewestFile, readClock, readFilesKey, readVersion } from './queries.js'

const SKEW_MS = 2_000
const OLDEST_MAJOR = 15

export interface DatabaseFindings {
  findings: Finding[]
  /** The secret of the workspace, by which its servers are known; null where there is none to be read. */
  secret: Buffer | null
  kept: KeptFiles
}

/** What the database knows of the files of the workspace. */
export interface KeptFiles {
  key_id: Buffer | null
  newest: string | undefined
}

const NONE: KeptFiles = { key_id: null, newest: undefined }

/** Tries the database: whether it answers, its version, its schema, the workspace in it, and its clock. */
export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  let reached: Reached | undefined
  try {
    reached = await reachDatabase(config)
    const connection = { connectionString: reached.url, connectionTimeoutMillis: PATIENCE_MS }
    const client = new pg.Client(connection)
    await client.connect()
    try {
      return await lookInto(client, config)
    } finally {
      await client.end()
    }
  } catch (error) {
    return { findings: [failureOf(config, error as Error)], secret: null, kept: NONE }
  } finally {
    await reached?.close()
  }
}

function failureOf(config: Config, error: Error): Finding {
  if (error.message === noWorkspace(config).message) return missing(config)
  const reason = reasonOf(error)
  return finding(config.database_url ? 'database_failed' : 'embedded_database_failed', { reason })
}

function missing(config: Config): Finding {
  const place = addressOf(config)
  return finding(config.database_url ? 'workspace_missing_in_database' : 'workspace_missing_in_folder', {
    place,
  })
}

async function lookInto(client: pg.Client, config: Config): Promise<DatabaseFindings> {
  const version = await checkVersion(client, addressOf(config))
  const [schema, clock] = [await checkSchema(client), await checkClock(client)]
  const row = await findWorkspaceIn(client)
  const workspace = row ? found(config, row) : missing(config)
  const kept = row ? { key_id: await readFilesKey(client), newest: await findNewestFile(client) } : NONE
  return { findings: [version, schema, workspace, clock], secret: row?.secret ?? null, kept }
}

async function checkVersion(client: pg.Client, place: string): Promise<Finding> {
  const read = await readVersion(client)
  const version = Math.floor(Number(read?.number) / 10_000)
  if (version < OLDEST_MAJOR) return finding('database_too_old', { version, place, oldest: OLDEST_MAJOR })
  return finding(read?.fsync === 'on' ? 'database_works' : 'database_without_fsync', { version, place })
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  const { applied, changed, unknown, waiting } = await inspectMigrations(client)
  if (unknown.length > 0) return finding('schema_newer', { migrations: unknown.join(', ') })
  if (changed.length > 0) return finding('schema_changed', { migrations: changed.join(', ') })
  if (waiting.length > 0) return finding('schema_behind', { waiting: waiting.length })
  return finding('schema_current', { applied: applied.length })
}

function found(config: Config, { name, created_at }: { name: string; created_at: Date }): Finding {
  const since = created_at.toISOString().slice(0, 10)
  return finding('workspace_found', { name, place: addressOf(config), since })
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now()
  const now = (await readClock(client))?.getTime() ?? 0
  // The database looked at its clock at any moment in between: an answer that was long on its way is no difference.
  const skew_ms = Math.round(Math.max(0, before - now, now - Date.now()))
  return finding(skew_ms <= SKEW_MS ? 'clocks_agree' : 'clocks_differ', { skew_ms })
}
