import type { CheckedFile } from '../files/attach.js'
import { listFiles } from '../files/queries.js'
import { writePost } from '../messages/post.js'
import { actingFor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { releaseSavepoint, rollBackTo, setSavepoint } from '../platform/db/savepoint-queries.js'
import { isRetryable, transaction } from '../platform/db/transaction.js'
import { notifyPerson } from '../platform/events/notice.js'
import { Problem } from '../platform/problem.js'
import { loop, type Worker } from '../platform/worker.js'
import { removeDraft } from './delete.js'
import { emitDraftDeleted, emitDraftSaved } from './events.js'
import { asChecked } from './files.js'
import { chatOf, entityOf } from './present.js'
import {
  type Author,
  type DraftRow,
  deleteDraftRows,
  findParent,
  isDraftDue,
  listAuthors,
  listWithFiles,
  lockDueDrafts,
  updateDraftRow,
} from './queries.js'
import { dueOccurrence, nextSend, type Recurrence } from './recurrence.js'

/** Waits after the first, second and third failure of our own; after the fourth the occurrence is skipped. */
const RETRIES_MS = [10_000, 60_000, 300_000]
/** Batches at a time in one process: enough to keep a database busy, few enough to leave requests their connections. */
const CONCURRENCY = 4
/** Drafts of one transaction. A chat's row is held while its messages are written, so they are not many. */
const BATCH = 25

/** The files that a draft still has, asked of the storage before the transaction. */
interface CheckedDraft {
  id: number
  files: CheckedFile[]
}

/** What one batch works with. */
interface Batch {
  tx: Tx
  ctx: Context
  now: Date
  authors: Map<number, Author>
  files: CheckedFile[]
  /** Drafts that go at the end of the batch, all together. */
  gone: number[]
}

const ruleOf = (draft: DraftRow) => draft as DraftRow & Recurrence

/** Moves a schedule past this occurrence; one that has no other goes, with its files. */
async function advance({ tx, ctx, now, gone }: Batch, draft: DraftRow) {
  const next = draft.interval === 'once' ? null : nextSend(ruleOf(draft), now)
  if (!next) {
    gone.push(draft.id)
    return emitDraftDeleted(tx, ctx, draft)
  }
  await updateDraftRow(tx, draft.id, { next_send_at: next, due_at: next, failures: 0 })
  await emitDraftSaved(tx, ctx, draft)
}

/** This occurrence is not sent: a repeating schedule goes on to the next, a single one stays for its author. */
async function skip(batch: Batch, draft: DraftRow, reason: string) {
  const { tx, ctx } = batch
  if (draft.interval === 'once') await updateDraftRow(tx, draft.id, { due_at: null, failures: 0 })
  else await advance(batch, draft)
  await notifyPerson(tx, ctx, draft.user_id, {
    kind: 'scheduled_message.skipped',
    text: 'A scheduled message was not sent.',
    draft_id: draft.id,
    chat_id: chatOf(draft),
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

function reasonNotTo(batch: Batch, draft: DraftRow, author: Author): string | undefined {
  if (author.workspace_suspended) return 'workspace_suspended'
  if (author.suspended) return 'author_suspended'
  if (!dueOccurrence(ruleOf(draft), batch.now)) return 'too_late'
  return draft.content.trim() === '' && batch.files.length === 0 ? 'blank' : undefined
}

async function send(batch: Batch, draft: DraftRow) {
  const { tx, ctx, files } = batch
  const author = batch.authors.get(draft.user_id) as Author
  if (author.deleted) return void batch.gone.push(draft.id)
  const reason = reasonNotTo(batch, draft, author)
  if (reason) return skip(batch, draft, reason)
  const message = {
    ...entityOf(draft),
    content: draft.content,
    files,
    parent_message_id: await parentOf(tx, draft),
    link_preview: true,
  }
  await writePost(tx, ctx, actingFor(draft.user_id, author.role, author.plan), message, false)
  await advance(batch, draft)
}

/** An error of our own: the occurrence is retried a few times, then skipped. */
async function fail(batch: Batch, draft: DraftRow, error: unknown) {
  const { tx, ctx, now } = batch
  ctx.log.warn({ err: error, draft_id: draft.id }, 'scheduled message failed')
  const wait_ms = RETRIES_MS[draft.failures]
  if (wait_ms === undefined) return skip(batch, draft, 'internal_error')
  const due_at = new Date(now.getTime() + wait_ms)
  await updateDraftRow(tx, draft.id, { due_at, failures: draft.failures + 1 })
}

/** Sends one draft in a savepoint, so that its failure does not affect the others. */
async function sendApart(batch: Batch, draft: DraftRow) {
  const { tx } = batch
  await setSavepoint(tx, 'one')
  try {
    await send(batch, draft)
    await releaseSavepoint(tx, 'one')
  } catch (error) {
    // A deadlock is the whole transaction's to try again.
    if (isRetryable(error)) throw error
    await rollBackTo(tx, 'one')
    if (error instanceof Problem && error.status < 500) await skip(batch, draft, error.code)
    else await fail(batch, draft, error)
  }
}

type SendOne = typeof send

/**
 * Claims drafts that are due, posts them and moves their schedules in one transaction, so that no crash can do one
 * without the other. Drafts with files are named instead, until it is known which files are still there.
 */
function sendBatch(ctx: Context, one: SendOne, checked?: CheckedDraft) {
  return transaction(ctx, async (tx) => {
    const at = now(ctx.clock)
    const drafts = await lockDueDrafts(tx, at, BATCH, checked?.id)
    const withFiles = checked ? new Set() : await listWithFiles(tx, drafts)
    const ready = drafts.filter(({ id }) => !withFiles.has(id))
    const authors = await listAuthors(tx, ready)
    const batch: Batch = { tx, ctx, now: at, authors, files: checked?.files ?? [], gone: [] }
    for (const draft of ready) await one(batch, draft)
    if (checked) for (const id of batch.gone) await removeDraft(tx, ctx, id)
    else await deleteDraftRows(tx, batch.gone)
    return { sent: ready.length, unchecked: drafts.filter(({ id }) => withFiles.has(id)) }
  })
}

/** Sends a batch together; if that fails, each draft by itself. */
async function sendSome(ctx: Context, checked?: CheckedDraft) {
  try {
    return await sendBatch(ctx, send, checked)
  } catch (error) {
    ctx.log.debug({ err: error }, 'batch of scheduled messages failed; retrying them one by one')
    return sendBatch(ctx, sendApart, checked)
  }
}

async function checkFilesOf(ctx: Context, draft: DraftRow): Promise<CheckedDraft> {
  const rows = await listFiles(ctx.db, { draft_id: draft.id })
  const there = await Promise.all(rows.map(({ key }) => ctx.storage.stat(key)))
  return { id: draft.id, files: rows.filter((_, index) => there[index]).map(asChecked) }
}

/** Sends a draft with files. A storage that fails for one draft delays that one alone. */
async function sendWithFiles(ctx: Context, draft: DraftRow) {
  let checked: CheckedDraft
  try {
    checked = await checkFilesOf(ctx, draft)
  } catch (error) {
    return sendBatch(ctx, (batch, row) => fail(batch, row, error), { id: draft.id, files: [] })
  }
  return sendSome(ctx, checked)
}

/** Sends batches until nothing is due that another loop or process has not claimed. */
async function sendDue(ctx: Context): Promise<number> {
  let total = 0
  for (;;) {
    const { sent, unchecked } = await sendSome(ctx)
    for (const draft of unchecked) await sendWithFiles(ctx, draft)
    total += sent + unchecked.length
    if (sent + unchecked.length === 0) return total
  }
}

/** Sends scheduled messages as they come due, in as many processes as there are, each occurrence once. */
export function startSending(ctx: Context): Worker {
  return loop({
    name: 'sending',
    every_ms: 1000,
    wake: () => () => {},
    onError: (error) => ctx.log.warn({ err: error }, 'sending scheduled messages failed; retrying in 1 s'),
    async step() {
      if (!(await isDraftDue(ctx.db, now(ctx.clock)))) return 0
      const sent = await Promise.all(Array.from({ length: CONCURRENCY }, () => sendDue(ctx)))
      return sent.reduce((sum, count) => sum + count, 0)
    },
  })
}
