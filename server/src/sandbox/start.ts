import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { bootstrap, type FirstStart } from '../company/bootstrap.js'
import { newTokenValue } from '../oauth/tokens.js'
import { filesFolder, outboxFolder } from '../open-context.js'
import { movableClock } from '../platform/clock.js'
import { readConfig } from '../platform/config.js'
import type { Context } from '../platform/context.js'
import { createOutboxMail } from '../platform/mail/outbox.js'
import { type RunningServer, startServer } from '../serve.js'
import { waitForDirect } from '../webhooks/send-now.js'
import { drainAll, plantJobs } from '../work.js'
import type { SandboxControls } from './routes.js'

export interface RunningSandbox {
  base_url: string
  control_url: string
  owner_id: number
  owner_token: string
  stop(): Promise<void>
}

/** Empties every table and starts the numbers again; the schema, the secret and what processes know of words stay. */
async function emptyTables(ctx: Context) {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename not in ('schema_migrations', 'admission_epoch', 'search_words')`.execute(
    ctx.db,
  )
  await ctx.db.transaction().execute(async (tx) => {
    await sql`select set_config('parley.audit_retention', 'on', true)`.execute(tx)
    await sql`truncate ${sql.raw(rows.map(({ name }) => name).join(', '))} restart identity cascade`.execute(
      tx,
    )
    await sql`alter sequence messages_id_seq restart`.execute(tx)
    await sql`alter sequence events_position_seq restart`.execute(tx)
    await sql`update admission_epoch set epoch = epoch + 1`.execute(tx)
    await sql`insert into audit_chain default values`.execute(tx)
  })
}

function controlsOf(server: () => RunningServer, clock: ReturnType<typeof movableClock>): SandboxControls {
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
      const { ctx, workers } = server()
      await settle()
      for (const worker of workers) await worker.stop(5000)
      await emptyTables(ctx)
      for (const folder of [outboxFolder(ctx.config), filesFolder(ctx.config)]) {
        await rm(folder, { recursive: true, force: true })
      }
      clock.reset()
      ctx.rates.setEnabled(true)
      ctx.faults.set(null)
      ctx.admission.forget()
      const { owner_id, token } = (await bootstrap(ctx.db, ctx)) as FirstStart
      await ctx.db.updateTable('workspace').set({ secret: ctx.secret }).execute()
      await plantJobs(ctx)
      for (const worker of workers) worker.start()
      return { owner_id, owner_token: token }
    },
  }
}

/** A throw-away workspace: the real server and database in a temporary folder, a clock that can be moved. */
export async function startSandbox(options: { port: number; log_level?: string }): Promise<RunningSandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sandbox-'))
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
    const server = await startServer(config, { clock, sandbox: (running) => controlsOf(running, clock) })
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
