import type { QueuedEventType } from '@parley/contract'
import { ulid } from 'ulid'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { attempt, type Outcome, succeeded, unsent } from './attempt.js'
import { findReceiver, insertHeld, isSendingDirect, releaseHeld, settleHeld } from './direct-queries.js'
import { recordAddressHealth } from './health.js'
import { insertQueued } from './queries.js'

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

/**
 * Sends something that a person waits for: at once, past every lane, in one attempt. It is in the log and in the queue
 * before it is sent. Call it outside a transaction.
 */
export async function sendNow(ctx: Context, direct: DirectDelivery): Promise<DirectResult> {
  const { bot_id, chat_id, event_type, timeout_ms, onSent } = direct
  const created_at = now(ctx.clock)
  const event_id = ulid(created_at.getTime())
  const payload = JSON.stringify(direct.payload)
  const unplaced = { endpoint_id: 0, message_id: null, position: null }
  const row = { bot_id, chat_id: chat_id ?? 0, event_id, event_type, payload, created_at, ...unplaced }

  const saved = await transaction(ctx, async (tx) => {
    const receiver = await findReceiver(tx, bot_id, created_at)
    if (!receiver) return undefined
    if (receiver.events_history_enabled) await insertQueued(tx, [row])
    const id = receiver.outgoing_url ? await insertHeld(tx, row, timeout_ms / 1000 + HELD_BEYOND_S) : null
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
    ? unsent(ctx, 'paused: the address failed too often')
    : await attempt(ctx, sendable, { timeout_ms, ...(onSent && { onSent }) })
  const ok = succeeded(outcome)
  await settleHeld(ctx.autocommit, saved.id, ok ? 'delivered' : 'failed', outcome)
  if (!paused_at) await recordAddressHealth(ctx, row, { failures: ok ? 0 : 1, succeeded: ok })
  return { state: ok ? 'delivered' : 'failed', event_id, queued, outcome }
}

/**
 * Takes over what a process that died had in its hands: a press goes into the lane of its chat, since nobody else will
 * repeat it; an answer to a form is given up, since the person saw it fail.
 */
export async function recoverDirect(ctx: Context) {
  await releaseHeld(ctx.autocommit, now(ctx.clock))
}

const LOOK_AGAIN_MS = 20

/** Waits until nothing is being sent past the lanes, in any process. */
export async function waitForDirect(ctx: Pick<Context, 'pool'>) {
  while (await isSendingDirect(ctx.pool)) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
}
