import { randomUUID } from 'node:crypto'
import type { Button } from '@parley/contract'
import { mayRead } from '../chats/rules.js'
import { findMessageFor, isInThreadUnder, type MessageRow } from '../messages/queries.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { ensureSameRequest, type OwnKey } from '../platform/http/idempotency.js'
import type { Routes } from '../platform/http/route.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { sendNow } from '../webhooks/send-now.js'
import { findDeliveryRoute, findTriggerByKey, insertTrigger, markDelivered } from './queries.js'
import { PRESS_MS, UNHEARD } from './rules.js'

export interface Place {
  row: number
  column: number
}

/** Sends in flight in this process, so that a server that shuts down can wait for them. */
export type PendingSends = Set<Promise<unknown>>

const END_MS = 5_000

/** A server that ends, or is reset, waits for presses that are being sent to bots, for some seconds at most. */
export function followSends({ ending, ctx }: Pick<Routes, 'ending' | 'ctx'>): PendingSends {
  const pending: PendingSends = new Set()
  const allTold = () => {
    const late = new Promise((resolve) => setTimeout(resolve, END_MS).unref())
    return Promise.race([Promise.all(pending), late])
  }
  ending.resources.push(allTold)
  ctx.resets.add(allTold)
  return pending
}

async function findReadable(ctx: Context, actor: Actor, messageId: number): Promise<MessageRow> {
  const { message, chat } = found(await findMessageFor(ctx.db, actor, messageId))
  if (!(await isInThreadUnder(ctx.db, actor, messageId)))
    ensure(mayRead(actor, chat), 'press', { type: 'Message', id: messageId })
  if (message.deleted_at) throw new Problem(404, 'message_deleted', { key: 'id', value: messageId })
  return message
}

function dataOf(message: MessageRow, { row, column }: Place): string {
  const rows = (message.buttons ?? []) as Button[][]
  const button = rows[row]?.[column]
  if (!button)
    throw new Problem(422, 'not_found', {
      key: rows[row] ? 'column' : 'row',
      value: rows[row] ? column : row,
      message: 'the message has no button there: rows and columns are counted from 0',
    })
  if (button.data === undefined || button.data === null)
    throw new Problem(422, 'not_applicable', { key: 'column', value: column, message: 'opens a link' })
  return button.data
}

const unheard = () => new Problem(422, 'displayed_error', { message: UNHEARD })

/** Delivers the press to the bot without waiting for its reply: the caller is answered once the press is stored. */
export async function pressButton(
  ctx: Context,
  actor: Actor,
  messageId: number,
  place: Place,
  key: OwnKey,
  pending: PendingSends,
): Promise<string> {
  const message = await findReadable(ctx, actor, messageId)
  const data = dataOf(message, place)
  const bot_id = message.user_id
  const via = await findDeliveryRoute(ctx.db, bot_id, message.chat_id)
  if (!via) throw unheard()

  const at = now(ctx.clock)
  const { chat_id } = message
  const about = { bot_id, user_id: actor.user_id, chat_id, message_id: messageId }
  // A press that only goes into the polling queue counts as delivered when it is written there.
  const trigger = {
    ...about,
    ...key,
    id: randomUUID(),
    told_at: via === 'queue' ? at : null,
    created_at: at,
  }
  const made = await transaction(ctx, (tx) => insertTrigger(tx, trigger))
  if (!made) return pressedBefore(ctx, key)

  const payload = {
    type: 'button',
    event: 'click',
    message_id: messageId,
    trigger_id: trigger.id,
    data,
    user_id: actor.user_id,
    chat_id,
  }
  await new Promise<void>((resolve, reject) => {
    const told = sendNow(ctx, {
      bot_id,
      chat_id,
      event_type: 'button_click',
      payload,
      timeout_ms: PRESS_MS,
      onSaved: resolve,
      onSent: () => keep(pending, ctx, markDelivered(ctx.autocommit, trigger.id, now(ctx.clock))),
    }).then(async (result) => {
      if (result.state === 'nobody') throw unheard()
      await markDelivered(ctx.autocommit, trigger.id, now(ctx.clock))
    })
    keep(pending, ctx, told)
    told.then(resolve, reject)
  })
  return trigger.id
}

async function pressedBefore(ctx: Context, key: OwnKey): Promise<string> {
  const known = found(await findTriggerByKey(ctx.db, key))
  ensureSameRequest(known, key)
  return known.id
}

function keep(pending: PendingSends, ctx: Context, work: Promise<unknown>) {
  const kept = work
    .catch((error) => ctx.log.debug({ err: error }, 'sending a button press failed'))
    .finally(() => pending.delete(kept))
  pending.add(kept)
}
