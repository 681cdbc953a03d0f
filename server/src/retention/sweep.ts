import { dropFiles } from '../files/attach.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import {
  deleteHangers,
  deleteMessages,
  emptyMessages,
  findProgress,
  KINDS,
  type Kind,
  listFileIds,
  listNext,
  lockChats,
  moveProgress,
  type OldMessage,
  refreshChats,
} from './queries.js'
import { findDays } from './setting.js'

const DAY_MS = 24 * 3_600_000
const BATCH = 500

async function remove(tx: Tx, ctx: Context, messages: readonly OldMessage[]) {
  if (messages.length === 0) return
  const chats = [...new Set(messages.map(({ chat_id }) => chat_id))]
  await lockChats(tx, chats)
  const ids = messages.map(({ id }) => id)
  const pictures = await deleteHangers(tx, ids)
  if (pictures.length > 0) await enqueue(tx, ctx, { kind: 'files.erase', payload: { keys: pictures } })
  await dropFiles(tx, ctx, await listFileIds(tx, ids))
  const idsOf = (has_thread: boolean) =>
    messages.filter((message) => message.has_thread === has_thread).map(({ id }) => id)
  await emptyMessages(tx, idsOf(true), present(ctx.clock))
  await deleteMessages(tx, idsOf(false))
  await refreshChats(tx, chats)
}

/** One batch of a kind; true while older messages may be left. Ids grow with time, so the first young one ends it. */
function step(ctx: Context, kind: Kind, days: number): Promise<boolean> {
  const cutoff = new Date(ctx.clock.now() - days * DAY_MS)
  return transaction(ctx, async (tx) => {
    const next = await listNext(tx, await findProgress(tx, kind), BATCH)
    const young = next.findIndex(({ created_at }) => created_at >= cutoff)
    const old = young < 0 ? next : next.slice(0, young)
    const last = old.at(-1)
    if (!last) return false
    await remove(
      tx,
      ctx,
      old.filter((message) => message.kind === kind),
    )
    await moveProgress(tx, kind, last.id)
    return young < 0 && next.length === BATCH
  })
}

/** Removes messages that are older than their kind is kept, a batch at a time. */
export async function sweepMessages(ctx: Context) {
  const days = await findDays(ctx.db)
  for (const kind of KINDS) {
    const kept = days[kind]
    while (kept !== null && (await step(ctx, kind, kept))) {}
  }
}
