import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@parley/postgres'
import type { FastifyInstance } from 'fastify'
import { bootstrap, type FirstStart } from './accounts/bootstrap.js'
import { buildApp, buildHealthApp } from './app.js'
import { filesKeyFault } from './company/files-key.js'
import { noteFilesKey } from './company/queries.js'
import { runHere } from './imports/jobs.js'
import { openContext } from './open-context.js'
import { type Clock, systemClock } from './platform/clock.js'
import type { Config } from './platform/config.js'
import type { Context } from './platform/context.js'
import { type Autocommit, openDb, openPool } from './platform/db/index.js'
import { migrate } from './platform/db/migrate.js'
import { preparePooler } from './platform/db/pooler.js'
import { findPrimary, fixedPrimary, openPrimary, type Primary } from './platform/db/primary.js'
import { startWatchdog } from './platform/events/watchdog.js'
import { type Log, openLog } from './platform/log.js'
import { createPasswords, type Passwords } from './platform/passwords.js'
import { lowerPool } from './platform/priority.js'
import { sealingKey } from './platform/storage/seal.js'
import type { Worker } from './platform/worker.js'
import { startShrinking } from './platform/young-generation.js'
import type { SandboxControls } from './sandbox/routes.js'
import { warmUpSearch } from './search/warm-up.js'
import { StartError, startError, tryPort } from './start-faults.js'
import { buildWorkers } from './work.js'

const GRACE_MS = 10_000

export interface RunningServer {
  url: string
  ctx: Context
  app: FastifyInstance
  workers: Worker[]
  postgres: EmbeddedPostgres | null
  /** Set on the first start alone: the login and the token that are shown once. */
  firstStart: FirstStart | undefined
  stop(): Promise<void>
}

export interface ServeOptions {
  clock?: Clock
  log?: Log
  /** The process is a server and nothing else: it is ended where it is stuck, since something starts it again, and gives memory back. */
  alone?: boolean
  /** A database of our own that somebody else starts. */
  database?: Promise<EmbeddedPostgres>
  /** `paused` leaves background work to `drain`, or until the workers are started by hand; imports have no thread of their own then. */
  work?: 'running' | 'paused'
  /** Another cost of passwords than that of production: tests hash many. */
  passwords?: Passwords
  /** More hooks or routes. */
  extend?: (app: FastifyInstance) => void
  /** The controls of a sandbox, which see the running server once it is up. */
  sandbox?: (server: () => RunningServer) => SandboxControls
}

/** The database to use: the one given, or our own in the data folder. */
async function openDatabase(config: Config, log: Log, given: ServeOptions['database']) {
  if (config.database_url)
    return { url: config.database_url, primary: await openPrimary(config.database_url, log), postgres: null }
  const folder = join(config.data_dir, 'postgres')
  const ours = () => startEmbeddedPostgres({ folder, log: (line) => log.debug({ line }, 'postgres') })
  const postgres = await (given ?? ours())
  postgres.onExit((detail) => log.error({ detail }, 'database exited unexpectedly; restarting'))
  return { url: postgres.url, primary: fixedPrimary(postgres.url), postgres }
}

/** Refuses to start without the key that encrypted files before, and notes the one that encrypts from now on. */
async function holdFilesKey(db: Autocommit, config: Config) {
  const fault = await filesKeyFault(db, config)
  if (fault) throw new StartError(fault, undefined)
  const [key] = config.files_keys
  if (key) await noteFilesKey(db, sealingKey(key).id)
}

async function makeWorkspace(config: Config, url: Primary, clock: Clock, log: Log, passwords: Passwords) {
  const pool = openPool({
    url,
    size: 1,
    onError: (error) => log.warn({ err: error }, 'database connection failed during the first start'),
  })
  const db = openDb(pool)
  try {
    const firstStart = await bootstrap(db, { clock, config }, passwords)
    await holdFilesKey(db, config)
    return firstStart
  } finally {
    await db.destroy()
  }
}

/** The address it listens on; empty where a worker was given none. */
async function listen(app: FastifyInstance, ctx: Context): Promise<string> {
  const { host, run, health_port } = ctx.config
  const port = run === 'worker' ? health_port : ctx.config.port
  if (port === null) return ''
  await app.listen({ host, port })
  const { port: actual } = app.server.address() as { port: number }
  if (port === 0) {
    // With port 0 the system chose one, and links must name it.
    const chosen = (url: string) => url.replace(/:0$/, `:${actual}`)
    ctx.config.public_url = chosen(ctx.config.public_url)
    ctx.config.app_url = chosen(ctx.config.app_url)
  }
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
}

/** Lets requests and jobs end; connections that stay open longer are closed. */
async function finishWork(app: FastifyInstance, workers: readonly Worker[]) {
  const late = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
  await Promise.all([app.close(), ...workers.map((worker) => worker.stop(GRACE_MS))])
  clearTimeout(late)
}

/** Starts everything a server is: database, migrations, workspace, workers, HTTP. */
export async function startServer(config: Config, options: ServeOptions = {}): Promise<RunningServer> {
  const log = options.log ?? (await openLog({ level: config.log_level, format: config.log_format }))
  const clock = options.clock ?? systemClock
  const passwords = options.passwords ?? createPasswords()
  await lowerPool()
  await tryPort(config)
  const database = await openDatabase(config, log, options.database).catch((error) => {
    throw startError(error, config)
  })
  const { primary, postgres } = database
  let firstStart: FirstStart | undefined
  try {
    const writable = await findPrimary(database.url)
    await migrate(writable, {
      onMigration: (migration, { number, of }) => log.info({ migration, number, of }, 'applying a migration'),
      onWait: () => log.info('waiting for another process, which applies migrations'),
    })
    if (config.database_pooler_url) await preparePooler(writable, config.database_pooler_url)
    firstStart = await makeWorkspace(config, primary, clock, log, passwords)
    const { ctx, close } = await openContext(config, primary, clock, log, passwords)
    const app =
      config.run === 'worker'
        ? buildHealthApp(ctx)
        : buildApp(ctx, { extend: options.extend, sandbox: options.sandbox?.(() => server) })
    const workers =
      config.run === 'web' ? [] : await buildWorkers(ctx, options.work === 'paused' ? runHere : undefined)
    const url = await listen(app, ctx)
    if (options.work !== 'paused') for (const worker of workers) worker.start()
    if (options.work !== 'paused' && config.run !== 'worker') void warmUpSearch(ctx)

    const watchdog = options.alone && workers.length > 0 ? startWatchdog(ctx.round, database.url) : undefined
    const shrinking = options.alone ? startShrinking() : undefined

    let stopping: Promise<void> | undefined
    async function shutDown() {
      ctx.drain.began = true
      await delay(config.drain_ms)
      await finishWork(app, workers)
      shrinking?.stop()
      await watchdog?.stop()
      await close()
      primary.close()
      await postgres?.stop()
    }
    const server: RunningServer = {
      url,
      ctx,
      app,
      workers,
      postgres,
      firstStart,
      stop() {
        stopping ??= shutDown()
        return stopping
      },
    }
    return server
  } catch (error) {
    primary.close()
    await postgres?.stop()
    throw startError(error, config, firstStart)
  }
}
