import { closeNoticesJob, type JobPayload, noticePath, type Push, sendNoticePushJob } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import {
  findNoticePushRow,
  isNoticeShown,
  listNoticePushRows,
  type NoticePushRow,
  putShownNotice,
  type ShownNotice,
  takeReadNotices,
} from './notice-push-queries.js'
import { findTarget } from './push-queries.js'
import { isNoticeTold } from './rules.js'
import { sendPush } from './send-push.js'
import { settle, shorten, takesSilentPushes } from './settle-push.js'

/** Ids fill a push of 4 kB otherwise. */
const CLOSED_AT_ONCE = 200

/** One push a notice and browser, once the person has had time to see it in an open client. */
async function tellOfNotices(tx: Tx, ctx: Context, eventIds: readonly number[], run_at: Date) {
  const at = now(ctx.clock)
  for (const row of await listNoticePushRows(tx, eventIds, at)) {
    const { id: subscription_id, notice_id } = row
    if (isNoticeTold(row, at.getTime()))
      await enqueue(tx, ctx, sendNoticePushJob, { subscription_id, notice_id }, { run_at })
  }
}

async function closeShownNotices(tx: Tx, ctx: Context, shown: readonly ShownNotice[]) {
  for (const subscription_id of new Set(shown.map((one) => one.subscription_id))) {
    const ids = shown.flatMap((one) => (one.subscription_id === subscription_id ? one.notice_id : []))
    for (let from = 0; from < ids.length; from += CLOSED_AT_ONCE)
      await enqueue(tx, ctx, closeNoticesJob, {
        subscription_id,
        notice_ids: ids.slice(from, from + CLOSED_AT_ONCE),
      })
  }
}

/** Follows notices and their reading. */
export async function followNotices(tx: Tx, ctx: Context, events: readonly RelayedEvent[], run_at: Date) {
  const made = events.flatMap(({ id, type }) => (type === 'notice.created' ? [id] : []))
  if (made.length > 0) await tellOfNotices(tx, ctx, made, run_at)
  const read = events.flatMap(({ type, payload }) => (type === 'notices.read' ? payload.notice_ids : []))
  if (read.length > 0) await closeShownNotices(tx, ctx, await takeReadNotices(tx, read))
}

function pushOf({ notice_id, kind, payload, language, sound }: NoticePushRow): Push {
  return {
    type: 'notice',
    notice_id,
    kind,
    text: shorten(payload.text ?? ''),
    path: noticePath(payload) ?? '/notices',
    language,
    silent: sound === false,
  }
}

/** Everything is judged again: the person may have read it, or want no calls by now. */
export async function tellNotice(ctx: Context, about: JobPayload<typeof sendNoticePushJob>) {
  const at = now(ctx.clock)
  const row = await findNoticePushRow(ctx.db, about.notice_id, about.subscription_id, at)
  if (!row || !isNoticeTold(row, at.getTime()) || (await isNoticeShown(ctx.db, about))) return
  const answer = await sendPush(ctx, row, pushOf(row))
  settle(ctx, row, answer)
  if (!answer.accepted) return
  await transaction(ctx, async (tx) => {
    await putShownNotice(tx, about)
    // Read while the push was on its way: the event found nothing shown.
    await closeShownNotices(tx, ctx, await takeReadNotices(tx, [about.notice_id]))
  })
}

export async function closeNotices(ctx: Context, about: JobPayload<typeof closeNoticesJob>) {
  const { subscription_id, notice_ids } = about
  const target = await findTarget(ctx.db, subscription_id)
  if (!target || !takesSilentPushes(target)) return
  settle(ctx, target, await sendPush(ctx, target, { type: 'close_notices', notice_ids }))
}
