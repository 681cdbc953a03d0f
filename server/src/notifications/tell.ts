import { closePushJob, sendPushJob } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import type { EventReader, RelayedEvent } from '../platform/events/relay.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { followNotices } from './notice-push.js'
import {
  hasSubscriptions,
  listPushRows,
  type PushRow,
  type Reading,
  type Shown,
  takeDeleted,
  takeRead,
} from './push-queries.js'
import { isTold } from './rules.js'

/** People who have the client open read what they see within a second or two; nothing is sent about that. */
const TIME_TO_READ_MS = 3_000
const EVERYTHING = Number.MAX_SAFE_INTEGER

/** What makes or ends a notification. */
const FOLLOWED = new Set([
  'message.created',
  'message.deleted',
  'read.moved',
  'chat_members.removed',
  'notice.created',
  'notices.read',
])

const sendAt = (ctx: Context) => new Date(ctx.clock.now() + TIME_TO_READ_MS)

/** One push a chat and browser of these messages: the newest that is told. */
async function tellOf(tx: Tx, ctx: Context, messageIds: readonly number[]) {
  const at = now(ctx.clock)
  const newest = new Map<string, PushRow>()
  for (const row of await listPushRows(tx, messageIds, at))
    if (isTold(row, at.getTime())) newest.set(`${row.id}:${row.chat_id}`, row)
  const run_at = sendAt(ctx)
  for (const { id, message_id } of newest.values())
    await enqueue(tx, ctx, sendPushJob, { subscription_id: id, message_id }, { run_at })
}

/** Up to where these events say that people have read, or that they left. */
function readingsOf({ type, payload, chat_id }: RelayedEvent): Reading[] {
  if (type === 'read.moved') return [payload]
  // Who writes in a chat has read it.
  if (type === 'message.created') return [payload]
  if (type !== 'chat_members.removed' || chat_id === null) return []
  return payload.user_ids.map((user_id) => ({ user_id, chat_id, message_id: EVERYTHING }))
}

export async function closeShown(tx: Tx, ctx: Context, shown: readonly Shown[]) {
  for (const one of shown) await enqueue(tx, ctx, closePushJob, one)
}

/** Follows messages, notices and reading: who is told gets a push, and what was read or deleted goes away on every device. */
export function tellPeople(ctx: Context): EventReader {
  return async (tx, events) => {
    if (!events.some(({ type }) => FOLLOWED.has(type)) || !(await hasSubscriptions(tx))) return
    const written = events.flatMap(({ type, payload }) =>
      type === 'message.created' ? payload.message_id : [],
    )
    if (written.length > 0) await tellOf(tx, ctx, written)
    const readings = events.flatMap(readingsOf)
    if (readings.length > 0) await closeShown(tx, ctx, await takeRead(tx, readings))
    await followNotices(tx, ctx, events, sendAt(ctx))
    const deleted = events.flatMap(({ type, payload }) => (type === 'message.deleted' ? [payload] : []))
    if (deleted.length === 0) return
    const chatIds = deleted.map(({ chat_id }) => chat_id)
    const messageIds = deleted.map(({ message_id }) => message_id)
    await closeShown(tx, ctx, await takeDeleted(tx, chatIds, messageIds))
  }
}
