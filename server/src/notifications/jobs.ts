import type {
  closePushJob,
  JobPayload,
  mailDigestJob,
  Push,
  planDigestsJob,
  sendPushJob,
} from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { MINUTE_MS } from '../platform/time.js'
import { mailDigest, planDigests } from './digest.js'
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
import { type PushAnswer, type PushTarget, sendPush } from './send-push.js'
import { closeShown } from './tell.js'

const TEXT_AT_MOST = 300
/** A notification that is an hour late is of no use. */
const RETRIES_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS]
const PLAN_EVERY_MS = 10 * MINUTE_MS

/** Refusals that a retry does not change. */
function isFinal({ status }: PushAnswer): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 429 && status !== 408
}

function settle(ctx: Context, target: PushTarget, answer: PushAnswer) {
  if (answer.accepted) return
  const push_service = new URL(target.endpoint).host
  const reason = { subscription_id: target.id, push_service, status: answer.status, error: answer.error }
  if (isFinal(answer)) return ctx.log.warn(reason, 'push failed; not retried')
  throw new Error(`push failed: ${push_service} answered ${answer.status ?? answer.error}`)
}

function shorten(text: string): string {
  const characters = [...text]
  return characters.length > TEXT_AT_MOST ? `${characters.slice(0, TEXT_AT_MOST - 1).join('')}…` : text
}

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

/** Safari ends a subscription after three pushes that show nothing; there the open client alone takes them away. */
function takesSilentPushes({ endpoint }: PushTarget): boolean {
  return !new URL(endpoint).host.endsWith('.push.apple.com')
}

async function closeOne(ctx: Context, { subscription_id, ...about }: JobPayload<typeof closePushJob>) {
  const target = await findTarget(ctx.db, subscription_id)
  if (!target || !takesSilentPushes(target)) return
  settle(ctx, target, await sendPush(ctx, target, { type: 'close', ...about }))
}

export function notificationJobs(
  ctx: Context,
): JobHandlers<typeof sendPushJob | typeof closePushJob | typeof mailDigestJob | typeof planDigestsJob> {
  return {
    'notifications.push': { retries_ms: RETRIES_MS, run: ({ payload }) => tellOne(ctx, payload) },
    'notifications.close': { retries_ms: RETRIES_MS, run: ({ payload }) => closeOne(ctx, payload) },
    'notifications.mail_digest': { run: ({ payload }) => mailDigest(ctx, payload.user_id) },
    'notifications.plan_digests': { every_ms: PLAN_EVERY_MS, run: () => planDigests(ctx) },
  }
}
