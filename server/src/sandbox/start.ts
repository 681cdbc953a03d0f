import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FirstStart } from '../accounts/bootstrap.js'
import { findDatabaseTemplate } from '../database-template.js'
import { newTokenValue } from '../oauth/tokens.js'
import { outboxFolder } from '../open-context.js'
import { type MovableClock, movableClock } from '../platform/clock.js'
import { readConfig } from '../platform/config.js'
import { saveBaseline } from '../platform/db/baseline.js'
import { createOutboxMail } from '../platform/mail/outbox.js'
import { resetServer } from '../reset.js'
import { type RunningServer, startServer } from '../serve.js'
import { waitForDirect } from '../webhooks/send-now.js'
import { drainAll } from '../work.js'
import type { SandboxControls } from './routes.js'

export interface RunningSandbox {
  base_url: string
  control_url: string
  owner_id: number
  owner_token: string
  stop(): Promise<void>
}

function controlsOf(server: () => RunningServer, clock: MovableClock): SandboxControls {
  const now = () => new Date(clock.now())
  const settle = () => drainAll(server().workers)
  return {
    now,
    async settle() {
      await waitForDirect(server().ctx)
      await settle()
    },
    async move({ advance_s = 0, set, freeze }) {
      if (freeze !== undefined) clock.freeze(freeze)
      clock.advance(set ? set.getTime() - clock.now() : advance_s * 1000)
      await settle()
      return now()
    },
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

/** A throw-away workspace: the real server and database in a temporary folder, a clock that can be moved. */
export async function startSandbox(options: { port: number; log_level?: string }): Promise<RunningSandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sandbox-'))
  // Root's database has an account of its own, which has to pass through.
  await chmod(folder, 0o711)
  const remove = () => rm(folder, { recursive: true, force: true })
  const clock = movableClock()
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(options.port),
    PARLEY_DATA_DIR: folder,
    PARLEY_OWNER_TOKEN: newTokenValue(),
    PARLEY_LOG_LEVEL: options.log_level ?? 'error',
  })
  try {
    const sandbox = (running: () => RunningServer) => controlsOf(running, clock)
    const database = { durable: false, template: await findDatabaseTemplate() }
    const server = await startServer(config, { clock, sandbox, database, work: 'paused' })
    await saveBaseline(server.ctx.autocommit)
    for (const worker of server.workers) worker.start()
    const { owner_id, token } = server.firstStart as FirstStart
    return {
      base_url: `${server.url}/v1`,
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
