import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { type MovableClock, movableClock } from '../platform/clock.js'
import { readConfig } from '../platform/config.js'
import type { Context } from '../platform/context.js'
import { saveBaseline } from '../platform/db/baseline.js'
import { type Autocommit, type AutocommitPool, openDb, openPool } from '../platform/db/index.js'
import { createPasswords, LEAST_COST } from '../platform/passwords.js'
import { resetServer } from '../reset.js'
import { type RunningServer, startServer } from '../serve.js'
import { checkAnswers } from './check-answers.js'
import { stopOwnCluster, type TestDatabase } from './cluster.js'
import { isGrown, readSchema, takeWorld } from './world-databases.js'

/** Tests prepare rows as they like, by single statements. */
export type StageContext = Context & { db: Autocommit; pool: AutocommitPool }

/** A running server on a database and a folder of its own. */
export interface Stage {
  server: RunningServer & { ctx: StageContext }
  clock: MovableClock
  /** Requests that have no answer yet. */
  busy(): number
  close(): Promise<void>
}

function countRequests(app: FastifyInstance) {
  let busy = 0
  app.addHook('onRequest', (_request, reply, done) => {
    busy += 1
    reply.raw.once('close', () => {
      busy -= 1
    })
    done()
  })
  return () => busy
}

type Settings = Record<string, string>
export type Env = Settings | ((databaseUrl: string) => Promise<Settings>)

export async function openStage(
  env: Env,
  work: 'running' | 'paused',
  clone: () => Promise<TestDatabase> = takeWorld,
): Promise<Stage> {
  const database = await clone()
  const folder = await mkdtemp(join(tmpdir(), 'parley-world-'))
  const own = { DATABASE_URL: database.url, PORT: '0', PARLEY_DATA_DIR: folder, PARLEY_POOL_SIZE: '8' }
  const clock = movableClock()
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  let busy = () => 0
  const extend = (app: FastifyInstance) => {
    busy = countRequests(app)
    checkAnswers(app)
  }
  const passwords = createPasswords(LEAST_COST)
  const config = readConfig({ ...own, ...(typeof env === 'function' ? await env(database.url) : env) })
  const started = await startServer(config, { clock, log, passwords, extend, work })
  const { autocommit: db, autocommit_pool: pool } = started.ctx
  const server = Object.assign(started, { ctx: Object.assign(started.ctx, { db, pool }) })
  return {
    server,
    clock,
    busy: () => busy(),
    async close() {
      await server.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The stage that the tests of this process share, and what it looked like before the first of them. */
interface Shared {
  stage: Stage
  schema: string
  restore(): Promise<void>
  close(): Promise<void>
}

let shared: Shared | undefined

const closings: (() => Promise<unknown>)[] = []

/**
 * Closes something when the last file of this process is through: what files share, like a browser.
 * @public The tests of the web client import it by its path.
 */
export function closeAtEnd(close: () => Promise<unknown>) {
  closings.push(close)
}

/** Ends what the tests of this process share. */
export async function closeShared() {
  for (const close of closings.splice(0)) await close()
  await shared?.close()
  shared = undefined
  await stopOwnCluster()
}

// The runner, which runs several files in a process, says itself when the last one is through.
if (!process.env.TEST_CLUSTER_URL) after(closeShared)

async function openShared(): Promise<Shared> {
  const stage = await openStage({ PARLEY_RATE_LIMITS: 'off' }, 'paused')
  const { ctx } = stage.server
  await saveBaseline(ctx.autocommit)
  const config = structuredClone(ctx.config)
  const given = { ...ctx }
  // A change of the role throws away the plans of a connection: this one has it from the start, and the others keep theirs.
  const settings = { session_replication_role: 'replica' }
  const url = ctx.config.database_url ?? ''
  const db = openDb(openPool({ url, size: 1, settings, onError: () => {} }))
  return {
    stage,
    schema: await readSchema(ctx.pool),
    async restore() {
      Object.assign(ctx, given, { config: Object.assign(ctx.config, config) })
      await resetServer(stage.server, stage.clock, db)
    },
    async close() {
      await db.destroy()
      await stage.close()
    },
  }
}

const QUIET_MS = 2000

/** Whether the stage still has its schema, and every request of the test before has ended. */
async function isUsable({ stage, schema }: Shared): Promise<boolean> {
  const { busy, server } = stage
  const until = performance.now() + QUIET_MS
  while (busy() > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5))
  if (busy() > 0 || !server.app.server.listening) return false
  const { pool } = server.ctx
  return (await readSchema(pool)) === schema && !(await isGrown(pool))
}

let retired = false

/** Gives the next test another stage: something beyond this process may still write to this one. */
export function retireShared() {
  retired = true
}

let taken = false

/** The shared stage, put back to its start; undefined while another world of the same test has it. */
export async function shareStage(t: TestContext): Promise<Stage | undefined> {
  if (taken) return undefined
  taken = true
  t.after(() => {
    taken = false
  })
  if (shared && !retired && (await isUsable(shared))) {
    await shared.restore()
    return shared.stage
  }
  await shared?.close()
  retired = false
  shared = await openShared()
  return shared.stage
}
