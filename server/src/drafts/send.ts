import { sql } from 'kysely'
import { listFiles } from '../files/queries.js'
import { postMessage } from '../messages/post.js'
import { type Actor, actingFor } from '../platform/actor.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { mayRunAgain, transaction } from '../platform/db/transaction.js'
import { tellPerson } from '../platform/events/notice.js'
import { Problem } from '../platform/problem.js'
import { loop, type Worker } from '../platform/worker.js'
import { removeDraft } from './delete.js'
import { asInput } from './files.js'
import { placeOf } from './present.js'
import {
  type DraftRow,
  findAuthor,
  findParent,
  listWithFiles,
  lockDueDrafts,
  updateDraftRow,
} from './queries.js'
import { dueOccurrence, nextSend, type Recurrence } from './recurrence.js'

/** Waits after the first, second and third failure of our own; after the fourth the occurrence is skipped. */
const RETRIES_MS = [10_000, 60_000, 300_000]
/** Sends at a time in one process: enough to keep a database busy, few enough to leave requests their connections. */
const LANES = 4
/** Drafts of one transaction. A chat's row is held while its messages are written, so they are not many. */
const BATCH = 25

/** Which of its files a draft has lost; asked of the storage before the transaction. */
interface Looked {
  id: number
  missing: ReadonlySet<string>
}

const ruleOf = (draft: DraftRow) => draft as DraftRow & Recurrence

/** Moves a schedule past this occurrence; one that has no other goes, with its files. */
async function advance(tx: Tx, ctx: Context, draft: DraftRow, now: Date) {
  const next = draft.interval === 'once' ? null : nextSend(ruleOf(draft), now)
  if (!next) return removeDraft(tx, ctx, draft.id)
  await updateDraftRow(tx, draft.id, { next_send_at: next, due_at: next, failures: 0 })
}

/** This occurrence is not sent: a repeating schedule goes on to the next, a single one stays for its author. */
async function skip(tx: Tx, ctx: Context, draft: DraftRow, now: Date, reason: string) {
  if (draft.interval === 'once') await updateDraftRow(tx, draft.id, { due_at: null, failures: 0 })
  else await advance(tx, ctx, draft, now)
  await tellPerson(tx, ctx, draft.user_id, {
    kind: 'scheduled_message.skipped',
    text: 'A scheduled message was not sent.',
    draft_id: draft.id,
    chat_id: draft.chat_id,
    send_at: draft.next_send_at?.toISOString() ?? null,
    reason,
  })
}

/** A reply whose message is gone is sent all the same, as no reply. */
async function parentOf(tx: Tx, draft: DraftRow): Promise<number | null> {
  if (draft.parent_message_id === null) return null
  const parent = await findParent(tx, draft.parent_message_id)
  return parent && !parent.deleted_at ? draft.parent_message_id : null
}

/** Posts as the author; a refusal undoes what the attempt wrote and comes back as its code. */
async function post(tx: Tx, ctx: Context, actor: Actor, draft: DraftRow, missing: ReadonlySet<string>) {
  const files = (await listFiles(tx, { draft_id: draft.id })).filter(({ key }) => !missing.has(key))
  const message = {
    ...placeOf(draft),
    content: draft.content,
    files: files.map(asInput),
    parent_message_id: await parentOf(tx, draft),
    link_preview: true,
  }
  await sql`savepoint sending`.execute(tx)
  try {
    await postMessage(ctx, actor, message, { tx })
    await sql`release savepoint sending`.execute(tx)
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    await sql`rollback to savepoint sending`.execute(tx)
    return error.code
  }
}

async function attempt(tx: Tx, ctx: Context, draft: DraftRow, now: Date, missing: ReadonlySet<string>) {
  const author = await findAuthor(tx, draft.user_id)
  if (author.deleted) return removeDraft(tx, ctx, draft.id)
  if (author.workspace_suspended) return skip(tx, ctx, draft, now, 'workspace_suspended')
  if (author.suspended) return skip(tx, ctx, draft, now, 'author_suspended')
  if (!dueOccurrence(ruleOf(draft), now)) return skip(tx, ctx, draft, now, 'too_late')
  const refusal = await post(tx, ctx, actingFor(draft.user_id, author.role, author.plan), draft, missing)
  if (refusal) return skip(tx, ctx, draft, now, refusal)
  await advance(tx, ctx, draft, now)
}

/** Our own fault: the occurrence is tried again a few times, and skipped in the end. */
async function fail(tx: Tx, ctx: Context, draft: DraftRow, now: Date, error: unknown) {
  ctx.log.warn({ err: error, draft_id: draft.id }, 'a scheduled message failed')
  const wait_ms = RETRIES_MS[draft.failures]
  if (wait_ms === undefined) return skip(tx, ctx, draft, now, 'internal_error')
  const due_at = new Date(now.getTime() + wait_ms)
  await updateDraftRow(tx, draft.id, { due_at, failures: draft.failures + 1 })
}

/** Sends one draft of a batch; what goes wrong with it leaves the others alone. */
async function send(tx: Tx, ctx: Context, draft: DraftRow, now: Date, missing: ReadonlySet<string>) {
  await sql`savepoint one`.execute(tx)
  try {
    await attempt(tx, ctx, draft, now, missing)
    await sql`release savepoint one`.execute(tx)
  } catch (error) {
    // A deadlock is the whole transaction's to try again.
    if (mayRunAgain(error)) throw error
    await sql`rollback to savepoint one`.execute(tx)
    await fail(tx, ctx, draft, now, error)
  }
}

/**
 * Claims drafts that are due, posts them and moves their schedules in one transaction, so that no crash can do one
 * without the other. Drafts with files are named instead, until it is known which files are still there.
 */
async function sendBatch(ctx: Context, looked?: Looked): Promise<{ sent: number; unsure: DraftRow[] }> {
  return transaction(ctx, async (tx) => {
    const now = present(ctx.clock)
    const drafts = await lockDueDrafts(tx, now, BATCH, looked?.id)
    const withFiles = looked ? new Set() : await listWithFiles(tx, drafts)
    const ready = drafts.filter(({ id }) => !withFiles.has(id))
    for (const draft of ready) await send(tx, ctx, draft, now, looked?.missing ?? new Set())
    return { sent: ready.length, unsure: drafts.filter(({ id }) => withFiles.has(id)) }
  })
}

async function look(ctx: Context, { id }: DraftRow): Promise<Looked> {
  const keys = (await listFiles(ctx.db, { draft_id: id })).map(({ key }) => key)
  const there = await Promise.all(keys.map((key) => ctx.storage.stat(key)))
  return { id, missing: new Set(keys.filter((_, index) => !there[index])) }
}

/** Goes on until nothing is due that another lane or process has not claimed. */
async function lane(ctx: Context): Promise<number> {
  let total = 0
  for (;;) {
    const { sent, unsure } = await sendBatch(ctx)
    for (const draft of unsure) await sendBatch(ctx, await look(ctx, draft))
    total += sent + unsure.length
    if (sent + unsure.length === 0) return total
  }
}

/** Sends scheduled messages as they come due, in as many processes as there are, each occurrence once. */
export function startSending(ctx: Context): Worker {
  return loop({
    name: 'sending',
    every_ms: 1000,
    wake: () => () => {},
    onError: (error) => ctx.log.warn({ err: error }, 'sending scheduled messages stumbled'),
    async step() {
      const sent = await Promise.all(Array.from({ length: LANES }, () => lane(ctx)))
      return sent.reduce((sum, count) => sum + count, 0)
    },
  })
}
