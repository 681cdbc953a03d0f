import type { TestContext } from 'node:test'
import type { Role } from '@parley/contract'
import { type Client, createClient } from '@parley/sdk/contract'
import { expandEvent } from '../messages/expand-event.js'
import { issueToken, scopesOf } from '../oauth/tokens.js'
import type { MovableClock } from '../platform/clock.js'
import { transaction } from '../platform/db/transaction.js'
import { READERS_SLOW } from '../platform/events/blame.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { drainAll } from '../work.js'
import { addUser, CAST, CAST_SIZE } from './cast.js'
import { checkEvents } from './check-events.js'
import { startReceiver } from './receiver.js'
import { type Env, openStage, type Stage, type StageContext, shareStage } from './stage.js'

/** Somebody of the cast: a client of the API that knows who it is. */
export interface Person extends Client {
  id: number
  token: string
}

export interface World {
  ctx: StageContext
  clock: MovableClock
  url: string
  server: Stage['server']
  owner: Person
  admin: Person
  alice: Person
  bob: Person
  /** A multi-guest who is in the office. */
  mia: Person
  bot: Person
  /** A closed conversation of alice, bob, mia and the bot. */
  office: { id: number }
  /** An archived conversation of alice and bob. */
  attic: { id: number }
  /** An open channel of alice; nobody else is in it. */
  news: { id: number }
  /** A client with a token of its own: fewer scopes, another kind, or none at all. */
  as(user_id: number, options?: { scopes?: string[]; session?: boolean }): Promise<Person>
  person(options: NewPerson): Promise<Person>
  listen(bot: Person, events: string[]): ReturnType<typeof startReceiver>
  /** Does everything that is due, until nothing is. */
  drain(): Promise<void>
  events(): Promise<{ type: string; chat_id: number | null; payload: Record<string, unknown> }[]>
}

export interface NewPerson {
  role?: Role | 'guest'
  nickname?: string
  first_name?: string
  suspended?: boolean
}

export interface WorldOptions {
  /** Settings, or what makes them of the address of the database. */
  env?: Env
  /** Limits are off unless a test is about them. */
  limits?: boolean
  /** Background work runs by itself, as it does in a real server; imports have no thread of their own. */
  working?: boolean
}

const GRACE_MS = 5000

async function stageFor(t: TestContext, options: WorldOptions): Promise<Stage> {
  const { env, limits = false, working = false } = options
  const shared = env ? undefined : await shareStage(t)
  if (shared) {
    const { ctx, workers } = shared.server
    if (limits) {
      ctx.config.rate_limits = true
      ctx.rates.setEnabled(true)
    }
    if (working) for (const worker of workers) worker.start()
    t.after(async () => {
      if (working) for (const worker of workers) await worker.stop(GRACE_MS)
      await checkEvents(ctx)
    })
    return shared
  }
  const rates = { PARLEY_RATE_LIMITS: limits ? 'on' : 'off' }
  const settings: Env = async (url) => ({ ...rates, ...(typeof env === 'function' ? await env(url) : env) })
  const stage = await openStage(settings, working ? 'running' : 'paused')
  t.after(async () => {
    try {
      await checkEvents(stage.server.ctx)
    } finally {
      await stage.close()
    }
  })
  return stage
}

/** Again where the machine stood still while the relay worked: a server tries such events once more, too. */
async function drainPatiently(workers: Stage['server']['workers']): Promise<void> {
  try {
    await drainAll(workers)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith(READERS_SLOW))) throw error
    await drainPatiently(workers)
  }
}

/**
 * A server with a cast and a stage, as after its first start. Tests of a process share one, which is reset between them;
 * a test that sets settings gets a server and a database of its own, and so does the second world of one test.
 */
export async function world(t: TestContext, options: WorldOptions = {}): Promise<World> {
  const { server, clock } = await stageFor(t, options)
  const { ctx } = server
  const base_url = `${server.url}/v1`
  const person = ({ id, token }: { id: number; token: string }): Person => ({
    id,
    token,
    ...createClient({ base_url, token }),
  })

  async function tokenFor(user_id: number, kind: 'personal' | 'bot' | 'session', scopes: readonly string[]) {
    const { value } = await transaction(ctx, (tx) => issueToken(tx, ctx, { user_id, kind, scopes }))
    return person({ id: user_id, token: value })
  }

  let people = CAST_SIZE
  async function newPerson({ role = 'user', nickname, ...more }: NewPerson): Promise<Person> {
    people += 1
    const id = await addUser(ctx.db, clock, { nickname: nickname ?? `person${people}`, role, ...more })
    if (role === 'guest') return tokenFor(id, 'personal', [])
    return tokenFor(id, role === 'bot' ? 'bot' : 'personal', scopesOf(role))
  }

  const { owner, admin, alice, bob, mia, bot, office, attic, news } = CAST
  return {
    ctx,
    clock,
    url: server.url,
    server,
    owner: person(owner),
    admin: person(admin),
    alice: person(alice),
    bob: person(bob),
    mia: person(mia),
    bot: person(bot),
    office: { ...office },
    attic: { ...attic },
    news: { ...news },
    person: newPerson,
    async as(user_id, { scopes = [], session = false } = {}) {
      return tokenFor(user_id, session ? 'session' : 'personal', scopes)
    },
    async listen(listener, events) {
      const receiver = await startReceiver()
      t.after(() => receiver.close())
      await ctx.db
        .updateTable('bots')
        .set({ outgoing_url: receiver.url, events })
        .where('user_id', '=', listener.id)
        .execute()
      return receiver
    },
    drain: () => drainPatiently(server.workers),
    async events() {
      const rows = await ctx.db.selectFrom('events').selectAll().orderBy('id').execute()
      return rows.map((row) => {
        const { type, chat_id, payload } = expandEvent(row as unknown as RelayedEvent)
        return { type, chat_id, payload: { ...payload } }
      })
    },
  }
}
