import pg from 'pg'
import { pino } from 'pino'
import { openContext } from '../open-context.js'
import { type Actor, actingFor } from '../platform/actor.js'
import { systemClock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import type { Context } from '../platform/context.js'
import { inspectMigrations, migrationFault } from '../platform/db/migrate.js'
import { fixedPrimary } from '../platform/db/primary.js'
import { createPasswords, type Passwords } from '../platform/passwords.js'
import { OperatorError } from './errors.js'
import { type FoundWorkspace, findOwner, findWorkspaceIn } from './queries.js'
import { noWorkspace, placeOf, type Reached, reachDatabase } from './reach.js'

/** Which workspace a command works on: every command says so. */
export interface WorkspaceFacts {
  name: string
  /** The data folder, or the address of the database. */
  place: string
  through: Reached['through']
  created_at: string
}

export interface OpenWorkspace {
  ctx: Context
  /** The owner, for whom commands act. */
  actor: Actor
  facts: WorkspaceFacts
  close(): Promise<void>
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Whether the database holds a workspace that a restore would replace. */
export function hasWorkspace(url: string): Promise<boolean> {
  return withClient(url, async (client) => (await findWorkspaceIn(client)) !== undefined)
}

function factsOf(config: Config, { through }: Reached, row: FoundWorkspace): WorkspaceFacts {
  return { name: row.name, place: placeOf(config), through, created_at: row.created_at.toISOString() }
}

/** Runs work on the database of a workspace, with a schema of any version. */
export async function withDatabase<T>(
  config: Config,
  work: (reached: Reached, facts: WorkspaceFacts) => Promise<T>,
): Promise<T> {
  const reached = await reachDatabase(config)
  try {
    const row = await withClient(reached.url, findWorkspaceIn)
    if (!row) throw noWorkspace(config)
    return await work(reached, factsOf(config, reached, row))
  } finally {
    await reached.close()
  }
}

/** Commands work on the schema of this version alone, and leave migrating to `migrate` and the start of a server. */
async function ensureSchema(client: pg.Client) {
  const state = await inspectMigrations(client)
  const fault = migrationFault(state)
  if (fault) throw new OperatorError(fault)
  if (state.waiting.length > 0)
    throw new OperatorError(
      `${state.waiting.length} migrations wait: start the server of this version, or run parley migrate.`,
    )
}

async function actAsOwner(ctx: Context, plan: Actor['plan']): Promise<Actor> {
  const owner = await findOwner(ctx.db)
  if (!owner) throw new OperatorError('The workspace has no owner.')
  return { ...actingFor(owner.id, 'owner', plan), user_agent: 'parley command' }
}

/** Opens the workspace of this configuration for verbs that its owner may use. */
export async function openWorkspace(
  config: Config,
  passwords: Passwords = createPasswords(),
): Promise<OpenWorkspace> {
  const reached = await reachDatabase(config)
  try {
    const row = await withClient(reached.url, async (client) => {
      const found = await findWorkspaceIn(client)
      if (found) await ensureSchema(client)
      return found
    })
    if (!row) throw noWorkspace(config)
    const own = { ...config, redis_url: null, pool_size: 3 }
    // Only servers seal the audit log; a command needs no key, and makes none.
    const noKey = async () => Buffer.alloc(0)
    const log = pino({ level: 'silent' })
    const { ctx, close } = await openContext(
      own,
      fixedPrimary(reached.url),
      systemClock,
      log,
      passwords,
      noKey,
    )
    return {
      ctx,
      actor: await actAsOwner(ctx, row.plan),
      facts: factsOf(config, reached, row),
      async close() {
        await close()
        await reached.close()
      },
    }
  } catch (error) {
    await reached.close()
    throw error
  }
}
