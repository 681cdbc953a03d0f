import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FirstStart } from '../accounts/bootstrap.js'
import { findDatabaseTemplate } from '../database-template.js'
import { newTokenValue } from '../oauth/tokens.js'
import { outboxFolder } from '../open-context.js'
import { type MovableClock, movableClock } from '../platform/clock.js'
import { ConfigError, readConfig } from '../platform/config.js'
import { saveBaseline } from '../platform/db/baseline.js'
import { createOutboxMail } from '../platform/mail/outbox.js'
import { createPasswords, LEAST_COST } from '../platform/passwords.js'
import { resetServer } from '../reset.js'
import { type RunningServer, startServer } from '../serve.js'
import { waitForDirect } from '../webhooks/send-now.js'
import { drainAll } from '../work.js'
import { walkTo } from './clock.js'
import { listContents } from './contents-queries.js'
import type { SandboxControls } from './routes.js'

export interface RunningSandbox {
  base_url: string
  control_url: string
  owner_id: number
  owner_token: string
  stop(): Promise<void>
}

function controlsOf(server: () => RunningServer, clock: MovableClock): SandboxControls {
  /** One move at a time. */
  let moving: Promise<unknown> = Promise.resolve()
  const now = () => new Date(clock.now())
  const settle = () => drainAll(server().workers)
  async function moveOnce({ advance_s = 0, set, freeze }: Parameters<SandboxControls['move']>[0]) {
    if (freeze !== undefined) clock.freeze(freeze)
    const target_ms = set ? set.getTime() : clock.now() + advance_s * 1000
    // Between the steps the clock does not move, so that each thing happens at its own time to the millisecond.
    const frozen = clock.isFrozen()
    clock.freeze(true)
    try {
      await walkTo({ ctx: server().ctx, workers: server().workers, clock }, target_ms)
    } finally {
      clock.freeze(frozen)
    }
    return now()
  }

  return {
    now,
    async settle() {
      await waitForDirect(server().ctx)
      await settle()
    },
    move(change) {
      const moved = moving.then(() => moveOnce(change))
      moving = moved.catch(() => {})
      return moved
    },
    contents: () => listContents(server().ctx, (server().firstStart as FirstStart).owner_id),
    setLimits: (enabled) => server().ctx.rates.setEnabled(enabled),
    setFault: (fault) => server().ctx.faults.set(fault),
    async mail() {
      const { ctx } = server()
      const sent = await createOutboxMail({ folder: outboxFolder(ctx.config), clock }).list()
      return sent.map(({ to, subject, text, at }) => ({ to, subject, text, at: at.toISOString() }))
    },
    async reset() {
      const { workers, firstStart } = server()
      await settle()
      await resetServer(server(), clock)
      for (const worker of workers) worker.start()
      const { owner_id, token } = firstStart as FirstStart
      return { owner_id, owner_token: token }
    },
  }
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

/** A throw-away workspace: the real server and database in a temporary folder, a clock that can be moved. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const settings = settingsFrom(options.env ?? {})
  const folder = await mkdtemp(join(tmpdir(), 'parley-sandbox-'))
  // Root's database has an account of its own, which has to pass through.
  await chmod(folder, 0o711)
  const remove = () => rm(folder, { recursive: true, force: true })
  const clock = movableClock()
  try {
    const config = readConfig({
      PARLEY_LOG_LEVEL: 'error',
      ...settings,
      HOST: '127.0.0.1',
      PORT: String(options.port),
      PARLEY_DATA_DIR: folder,
      PARLEY_OWNER_TOKEN: newTokenValue(),
    })
    const sandbox = (running: () => RunningServer) => controlsOf(running, clock)
    const database = { durable: false, template: await findDatabaseTemplate() }
    // Passwords of a sandbox are nobody's: hashing one at full cost would be a third of its start.
    const passwords = createPasswords(LEAST_COST)
    const server = await startServer(config, { clock, sandbox, database, passwords, work: 'paused' })
    await saveBaseline(server.ctx.autocommit)
    for (const worker of server.workers) worker.start()
    const { owner_id, token } = server.firstStart as FirstStart
    return {
      base_url: `${server.url}${config.api_prefixes[0]}`,
      control_url: `${server.url}/sandbox`,
      owner_id,
      owner_token: token,
      async stop() {
        await server.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
