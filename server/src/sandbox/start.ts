// The database of a sandbox starts while the modules of the server are loaded, so this file imports little.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@parley/postgres'
import type { FirstStart } from '../accounts/bootstrap.js'
import { findDatabaseTemplate } from '../database-template.js'
import { type Config, readConfig } from '../platform/config.js'
import { ConfigError } from '../platform/config-readers.js'
import { startError, tryPort } from '../start-faults.js'

export interface RunningSandbox {
  base_url: string
  control_url: string
  owner_id: number
  owner_token: string
  stop(): Promise<void>
}

/** Settings that a sandbox makes itself. Mail goes to its control API. */
const OWN = [
  'PARLEY_DATA_DIR',
  'PARLEY_OWNER_EMAIL',
  'PARLEY_OWNER_PASSWORD',
  'PARLEY_OWNER_TOKEN',
  'PARLEY_SMTP_URL',
]

/** Every setting of Parley but those: the server under test is set up like the real one. Unknown names are a fault. */
function settingsFrom(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = OWN.flatMap((name) => [name, `${name}_FILE`])
  const taken = Object.keys(env).filter((name) => name.startsWith('PARLEY_') && !own.includes(name))
  if (!['all', 'both'].includes(env.PARLEY_RUN ?? 'all'))
    throw new ConfigError('PARLEY_RUN is always all in a sandbox: leave it out.')
  return Object.fromEntries(taken.map((name) => [name, env[name]]))
}

export interface SandboxOptions {
  port: number
  /** Where `PARLEY_*` settings are taken from. */
  env?: NodeJS.ProcessEnv
}

async function startDatabase(config: Config): Promise<EmbeddedPostgres> {
  const folder = join(config.data_dir, 'postgres')
  const template = await findDatabaseTemplate()
  return startEmbeddedPostgres({ folder, durable: false, template }).catch((error) => {
    throw startError(error, config)
  })
}

async function startIn(folder: string, { port, env = {} }: SandboxOptions): Promise<RunningSandbox> {
  const config = readConfig({
    PARLEY_LOG_LEVEL: 'error',
    ...settingsFrom(env),
    HOST: '127.0.0.1',
    PORT: String(port),
    PARLEY_DATA_DIR: folder,
  })
  await tryPort(config)
  const database = startDatabase(config)
  const [{ runSandbox }] = await Promise.all([import('./run.js'), database])
  const server = await runSandbox(config, database).catch(async (error) => {
    await (await database).stop()
    throw error
  })
  const { owner_id, token } = server.firstStart as FirstStart
  return {
    base_url: `${server.url}${config.api_prefixes[0]}`,
    control_url: `${server.url}/sandbox`,
    owner_id,
    owner_token: token,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A throw-away workspace: the real server and database in a temporary folder, a clock that can be moved. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sandbox-'))
  // Root's database has an account of its own, which has to pass through.
  await chmod(folder, 0o711)
  try {
    return await startIn(folder, options)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
