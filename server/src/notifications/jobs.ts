import type { closePushJob, JobPayload, Push, sendPushJob } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { MINUTE_MS } from '../platform/time.js'
import { mailDigest, planDigests } from './digest.js'
import { closeNotices, tellNotice } from './notice-push.js'
import {
  findReadPointer,
  findShown,
  findTarget,
  listPushRows,
  type PushRow,
  putShown,
  takeRead,
} from './push-queries.js'
import { isTold } from './rules.js'
import { sendPush } from './send-push.js'
import { settle, shorten, takesSilentPushes } from './settle-push.js'
import { closeShown } from './tell.js'

/** A notification that is an hour late is of no use. */
const RETRIES_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS]
const PLAN_EVERY_MS = 10 * MINUTE_MS

function pushOf(row: PushRow): Push {
  const { chat_id, message_id, thread_id, parent_chat_id } = row
  const path =
    thread_id === null
      ? `/chats/${chat_id}?message=${message_id}`
      : `/chats/${parent_chat_id ?? chat_id}?thread=${thread_id}`
  return {
    type: 'message',
    chat_id,
    message_id,
    path,
    author: row.author,
    chat: row.kind === 'personal' ? null : row.chat_name,
    text: shorten(row.content),
    file_names: row.file_names && shorten(row.file_names),
    silent: row.sound === false,
  }
}

/** Everything is judged again: the person may have read it, left, or muted the chat since. */
async function tellOne(ctx: Context, { subscription_id, message_id }: JobPayload<typeof sendPushJob>) {
  const at = now(ctx.clock)
  const [row] = await listPushRows(ctx.db, [message_id], at, subscription_id)
  if (!row || !isTold(row, at.getTime())) return
  if ((await findShown(ctx.db, subscription_id, row.chat_id)) >= message_id) return
  const answer = await sendPush(ctx, row, pushOf(row))
  settle(ctx, row, answer)
  if (!answer.accepted) return
  const { chat_id, user_id } = row
  await transaction(ctx, async (tx) => {
    await putShown(tx, { subscription_id, chat_id, message_id })
    // Read while the push was on its way: the event found nothing shown.
    const read = await findReadPointer(tx, subscription_id, chat_id)
    if (read === undefined || read >= message_id)
      await closeShown(tx, ctx, await takeRead(tx, [{ user_id, chat_id, message_id }]))
  })
}

async function closeOne(ctx: Context, { subscription_id, ...about }: JobPayload<typeof closePushJob>) {
  const target = await findTarget(ctx.db, subscription_id)
  if (!target || !takesSilentPushes(target)) return
  settle(ctx, target, await sendPush(ctx, target, { type: 'close', ...about }))
}

export function notificationJobs(ctx: Context) {
  return {
    'notifications.push': { retries_ms: RETRIES_MS, run: ({ payload }) => tellOne(ctx, payload) },
    'notifications.close': { retries_ms: RETRIES_MS, run: ({ payload }) => closeOne(ctx, payload) },
    'notifications.push_notice': { retries_ms: RETRIES_MS, run: ({ payload }) => tellNotice(ctx, payload) },
    'notifications.close_notices': {
      retries_ms: RETRIES_MS,
      run: ({ payload }) => closeNotices(ctx, payload),
    },
    'notifications.mail_digest': { run: ({ payload }) => mailDigest(ctx, payload.user_id) },
    'notifications.plan_digests': { every_ms: PLAN_EVERY_MS, run: () => planDigests(ctx) },
  } satisfies Partial<JobHandlers>
}
