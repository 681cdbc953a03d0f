import type { QueuedEventType } from '@parley/contract'
import { sql } from 'kysely'
import { ulid } from 'ulid'
import { recordHealth } from '../bots/health.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { rows, type Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { attempt, type Outcome, succeeded } from './attempt.js'
import { insertQueued, type NewDelivery } from './queries.js'

/** How long a sender is trusted to be alive beyond the answer it waits for. */
const HELD_BEYOND_S = 15

export interface DirectDelivery {
  bot_id: number
  chat_id: number | null
  event_type: Extract<QueuedEventType, 'button_click' | 'view_submit'>
  /** The body without `webhook_timestamp`. */
  payload: object
  timeout_ms: number
  /** Called when it is in the log and can no longer be lost. */
  onSaved?: () => void
  /** Called when the request is written to the socket. */
  onSent?: () => void
}

export interface DirectResult {
  /** `nobody` where the bot neither sends nor queues; `queued` where it polls alone. */
  state: 'delivered' | 'failed' | 'queued' | 'nobody'
  event_id: string
  /** In the queue of a bot that polls, whether it was sent or not. */
  queued: boolean
  outcome: Outcome | null
}

interface Receiver {
  outgoing_url: string
  signing_secrets: string[]
  events_history_enabled: boolean
  paused_at: Date | null
}

/** Buttons and forms come to bots whatever they are subscribed to. */
async function findReceiver(tx: Tx, botId: number, now: Date): Promise<Receiver | undefined> {
  const { rows } = await sql<Receiver>`
    select outgoing_url, events_history_enabled, paused_at,
      array_remove(array[signing_secret, case when old_secret_until > ${now} then old_signing_secret end], null)
        as signing_secrets
    from bots where user_id = ${botId}`.execute(tx)
  return rows[0]
}

async function insertHeld(tx: Tx, row: NewDelivery, timeout_ms: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into deliveries (bot_id, chat_id, event_id, event_type, payload, state, held_until, created_at)
    values (${row.bot_id}, ${row.chat_id}, ${row.event_id}, ${row.event_type}, ${row.payload}, 'pending',
      clock_timestamp() + make_interval(secs => ${timeout_ms / 1000 + HELD_BEYOND_S}), ${row.created_at})
    returning id`.execute(tx)
  return (rows[0] as { id: number }).id
}

async function settleHeld(ctx: Context, id: number, outcome: Outcome) {
  const { at, status, duration_ms, error } = outcome
  const state = succeeded(outcome) ? 'delivered' : 'failed'
  await sql`
    with tried as (
      insert into delivery_attempts (delivery_id, number, at, status, duration_ms, error)
      values (${id}, 1, ${at}, ${status}, ${duration_ms}, ${error}) on conflict do nothing
    )
    update deliveries set state = ${state}, attempts = 1, held_until = null where id = ${id}`.execute(
    ctx.autocommit,
  )
}

const unsent = (at: Date, error: string): Outcome => ({
  at,
  status: null,
  error,
  duration_ms: 0,
  body: Buffer.alloc(0),
})

/**
 * Sends something that a person waits for: at once, past every lane, in one attempt. It is in the log and in the queue
 * before it is sent. Call it outside a transaction.
 */
export async function sendNow(ctx: Context, direct: DirectDelivery): Promise<DirectResult> {
  const { bot_id, chat_id, event_type, timeout_ms, onSent } = direct
  const created_at = now(ctx.clock)
  const event_id = ulid(created_at.getTime())
  const payload = JSON.stringify(direct.payload)
  const row = { bot_id, chat_id: chat_id ?? 0, event_id, event_type, message_id: null, payload, created_at }

  const saved = await transaction(ctx, async (tx) => {
    const receiver = await findReceiver(tx, bot_id, created_at)
    if (!receiver) return undefined
    if (receiver.events_history_enabled) await insertQueued(tx, [row])
    const id = receiver.outgoing_url ? await insertHeld(tx, row, timeout_ms) : null
    return { receiver, id }
  })
  const queued = saved?.receiver.events_history_enabled ?? false
  if (!saved || saved.id === null) {
    return { state: queued ? 'queued' : 'nobody', event_id, queued, outcome: null }
  }
  direct.onSaved?.()
  const { outgoing_url: url, signing_secrets, paused_at } = saved.receiver
  const sendable = { event_id, payload, url, signing_secrets, number: 1 }
  const outcome = paused_at
    ? unsent(created_at, 'paused: the address failed too often')
    : await attempt(ctx, sendable, { timeout_ms, ...(onSent && { onSent }) })
  await settleHeld(ctx, saved.id, outcome)
  const ok = succeeded(outcome)
  if (!paused_at)
    await recordHealth(ctx.autocommit_pool, [{ bot_id, failures: ok ? 0 : 1, succeeded: ok }], created_at)
  return { state: ok ? 'delivered' : 'failed', event_id, queued, outcome }
}

/**
 * Takes over what a process that died had in its hands: a press goes into the lane of its chat, since nobody else will
 * repeat it; an answer to a form is given up, since the person saw it fail.
 */
export async function recoverDirect(ctx: Context) {
  const at = now(ctx.clock)
  await sql`
    with lost as (
      update deliveries set held_until = null,
        state = case when event_type = 'button_click' then 'pending' else 'failed' end
      where state = 'pending' and held_until < clock_timestamp()
      returning bot_id, chat_id, state
    )
    insert into delivery_lanes (bot_id, chat_id, due_at)
    select distinct bot_id, chat_id, ${at}::timestamptz from lost where state = 'pending'
    on conflict (bot_id, chat_id) do update set version = delivery_lanes.version + 1`.execute(ctx.autocommit)
}

const LOOK_AGAIN_MS = 20

/** Waits until nothing is being sent past the lanes, in any process. */
export async function waitForDirect(ctx: Pick<Context, 'pool'>) {
  const busy = `select exists (
    select from deliveries where state = 'pending' and held_until > clock_timestamp()) as busy`
  while ((await rows<{ busy: boolean }>(ctx.pool, busy))[0]?.busy)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
}
