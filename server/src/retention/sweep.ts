import { eraseFilesJob } from '@parley/contract'
import { lockChats, refreshChats, updateRemovedCounts } from '../chats/activity-queries.js'
import { dropFiles } from '../files/attach.js'
import { deleteMarks, deleteMessages, emptyMessages } from '../messages/erase-queries.js'
import { withdrawEvents } from '../messages/kept-event-queries.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { DAY_MS } from '../platform/time.js'
import { deletePreviews } from '../previews/queries.js'
import { withdrawTexts } from '../webhooks/kept-text-queries.js'
import {
  findNewestId,
  findOldestTime,
  findProgress,
  KINDS,
  type Kind,
  listFileIds,
  listOld,
  type OldMessage,
  type Span,
  saveProgress,
} from './queries.js'
import { findDays } from './setting.js'

const BATCH = 500

async function remove(tx: Tx, ctx: Context, messages: readonly OldMessage[]) {
  if (messages.length === 0) return
  const chats = [...new Set(messages.map(({ chat_id }) => chat_id))]
  await lockChats(tx, chats)
  const ids = messages.map(({ id }) => id)
  await deleteMarks(tx, ids)
  const pictures = await deletePreviews(tx, ids)
  if (pictures.length > 0) await enqueue(tx, ctx, eraseFilesJob, { keys: pictures })
  await dropFiles(tx, ctx, await listFileIds(tx, ids))
  const idsOf = (has_thread: boolean) =>
    messages.filter((message) => message.has_thread === has_thread).map(({ id }) => id)
  await emptyMessages(tx, idsOf(true), now(ctx.clock))
  await updateRemovedCounts(tx, await deleteMessages(tx, idsOf(false)))
  await refreshChats(tx, chats)
  await withdrawEvents(tx, ids)
  await withdrawTexts(tx, ids)
}

/** Removes every message of a kind in a span, a batch and a transaction at a time. */
async function removeSpan(ctx: Context, kind: Kind, span: Span) {
  for (let after = 0, full = true; full; ) {
    const old = await listOld(ctx.db, kind, span, after, BATCH)
    await transaction(ctx, (tx) => remove(tx, ctx, old))
    after = old.at(-1)?.id ?? after
    full = old.length === BATCH
  }
}

/**
 * Time decides alone: ids say nothing about age, since an import writes old messages last. A day at a time up to the
 * cutoff, then what came since the last sweep with a time that was swept already.
 */
async function sweepKind(ctx: Context, kind: Kind, days: number) {
  const cutoff = new Date(ctx.clock.now() - days * DAY_MS)
  const newest_id = await findNewestId(ctx.db)
  const before = await findProgress(ctx.db, kind)
  const start = before?.swept_to ?? (await findOldestTime(ctx.db)) ?? cutoff
  const seen_id = before?.newest_id ?? newest_id
  let swept_to = start
  while (swept_to < cutoff) {
    const to = new Date(Math.min(cutoff.getTime(), swept_to.getTime() + DAY_MS))
    await removeSpan(ctx, kind, { from: swept_to, to })
    swept_to = to
  }
  const late = new Date(Math.min(cutoff.getTime(), start.getTime()))
  if (before) await removeSpan(ctx, kind, { arrived_after: before.seen_id, to: late })
  await transaction(ctx, (tx) => saveProgress(tx, kind, { swept_to, seen_id, newest_id }))
}

/** Removes messages that are older than their kind is kept. */
export async function sweepMessages(ctx: Context) {
  const days = await findDays(ctx.db)
  for (const kind of KINDS) {
    const kept = days[kind]
    if (kept !== null) await sweepKind(ctx, kind, kept)
  }
}
