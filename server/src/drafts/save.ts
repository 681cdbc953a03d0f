import type { Draft, DraftCreateRequest, DraftUpdateRequest } from '@parley/contract'
import { attachFiles, type CheckedFile, replaceFiles } from '../files/attach.js'
import { loadDraftFiles } from '../files/present.js'
import { listFiles } from '../files/queries.js'
import { contentFaults } from '../messages/check-content.js'
import { findTarget } from '../messages/target.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { ensure, found, Problem, refuse } from '../platform/problem.js'
import { emitDraftSaved } from './events.js'
import { checkDraftFiles } from './files.js'
import { findWritablePlace, type Place } from './place.js'
import { chatOf, entityOf, presentDraft } from './present.js'
import {
  countScheduled,
  type DraftRow,
  findDraft,
  findParent,
  findPlainDraft,
  insertDraft,
  isGone,
  lockDraft,
  lockPlace,
  updateDraftRow,
} from './queries.js'
import { readSchedule, type Schedule } from './schedule.js'

type NewDraft = DraftCreateRequest['draft']
type DraftChange = DraftUpdateRequest['draft']

const SCHEDULED_AT_MOST = 50

export function checkContent(content: string, hasFiles: boolean) {
  const faults = contentFaults(content, hasFiles)
  if (faults.length > 0) throw Problem.of(422, faults)
}

/** An answer goes to the chat or thread of what it answers. What a draft answers already may have been deleted since. */
export async function checkParent(
  tx: Tx,
  chatId: number | null | undefined,
  parentId: number | null | undefined,
  before?: number | null,
) {
  if (typeof parentId !== 'number' || parentId === before) return
  const parent = await findParent(tx, parentId)
  const detail = { key: 'parent_message_id', value: parentId }
  if (!parent || parent.chat_id !== chatId)
    throw new Problem(422, 'wrong_params', { ...detail, message: 'must be a message of the same chat' })
  if (parent.deleted_at) throw new Problem(422, 'message_deleted', detail)
}

/** One plain draft a place, fifty scheduled messages a chat. */
async function ensureRoom(tx: Tx, userId: number, place: Place, scheduled: boolean) {
  await lockPlace(tx, userId, place)
  if (scheduled) {
    if ((await countScheduled(tx, userId, place)) >= SCHEDULED_AT_MOST)
      throw new Problem(422, 'scheduled_messages_limit', {
        key: 'schedule',
        message: `at most ${SCHEDULED_AT_MOST} scheduled messages of one person in a chat`,
      })
    return
  }
  const draft_id = await findPlainDraft(tx, userId, place)
  if (draft_id !== undefined)
    throw new Problem(409, 'already_exists', {
      payload: { draft_id },
      message: 'there is a draft for this place already: change it',
    })
}

/** A schedule as columns. Earlier attempts to send are forgotten. */
function columnsOf(schedule: Schedule) {
  return { ...schedule, due_at: schedule.next_send_at, failures: 0 }
}

/** The end of each write: the author's other devices hear of it, and the author gets the draft as it is now. */
export async function finish(tx: Tx, ctx: Context, userId: number, id: number): Promise<Draft> {
  const row = (await findDraft(tx, userId, id)) as DraftRow
  await emitDraftSaved(tx, ctx, row)
  return presentDraft(row, (await loadDraftFiles(ctx, tx, [id])).get(id))
}

/** Keeps an unsent message, or one to be sent by the server; nobody but its author hears of it. */
export async function createDraft(ctx: Context, actor: Actor, input: NewDraft): Promise<Draft> {
  const { content = '', files: given = [] } = input
  // The place is judged first: a caller who may not write there learns nothing of the rest.
  if (given.length > 0) await findTarget(ctx.db, actor, input)
  const files = await checkDraftFiles(ctx, actor, given, [])
  return transaction(ctx, async (tx) => {
    const { chat, place } = await findWritablePlace(tx, ctx, actor, input)
    checkContent(content, files.length > 0)
    await checkParent(tx, chat?.id, input.parent_message_id)
    const at = now(ctx.clock)
    const schedule = input.schedule ? readSchedule(input.schedule, at) : null
    await ensureRoom(tx, actor.user_id, place, schedule !== null)
    const id = await insertDraft(tx, {
      user_id: actor.user_id,
      ...place,
      content,
      parent_message_id: input.parent_message_id ?? null,
      ...(schedule ? columnsOf(schedule) : {}),
      created_at: at,
      updated_at: at,
    })
    await attachFiles(tx, ctx, actor, { draft_id: id }, files)
    return finish(tx, ctx, actor.user_id, id)
  })
}

/** A draft is changed only while its author might send it: 403 otherwise, also where the person it is for is gone. */
async function ensureSendable(db: Db, actor: Actor, draft: DraftRow) {
  const { to_user_id } = draft
  if (to_user_id !== null && (await isGone(db, to_user_id)))
    ensure(refuse('draft.recipient'), 'write', { type: 'User', id: to_user_id })
  await findTarget(db, actor, entityOf(draft))
}

async function checkChangedFiles(ctx: Context, actor: Actor, draft: DraftRow, change: DraftChange) {
  if (!change.files) return undefined
  await ensureSendable(ctx.db, actor, draft)
  return checkDraftFiles(ctx, actor, change.files, await listFiles(ctx.db, { draft_id: draft.id }))
}

/** The columns that a new schedule sets; undefined where there is none to set. */
async function reschedule(tx: Tx, draft: DraftRow, given: DraftChange['schedule'], now: Date) {
  if (given === undefined) return undefined
  if (given === null) {
    if (draft.interval === null) return undefined
    throw new Problem(422, 'draft_type_change_forbidden', { key: 'schedule' })
  }
  const schedule = readSchedule(given, now)
  if (draft.interval === null) await ensureRoom(tx, draft.user_id, draft as Place, true)
  return columnsOf(schedule)
}

async function applyChange(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  draft: DraftRow,
  change: DraftChange,
  files: CheckedFile[] | undefined,
) {
  const { content = draft.content, parent_message_id = draft.parent_message_id } = change
  const count = files ? files.length : (await listFiles(tx, { draft_id: draft.id })).length
  checkContent(content, count > 0)
  await checkParent(tx, chatOf(draft), change.parent_message_id, draft.parent_message_id)
  const at = now(ctx.clock)
  const schedule = await reschedule(tx, draft, change.schedule, at)
  if (files) await replaceFiles(tx, ctx, actor, { draft_id: draft.id }, files)
  await updateDraftRow(tx, draft.id, { content, parent_message_id, ...schedule, updated_at: at })
}

/** Changes what is passed and nothing else. A draft may become a scheduled message, and never goes back. */
export async function updateDraft(
  ctx: Context,
  actor: Actor,
  id: number,
  change: DraftChange,
): Promise<Draft> {
  const before = found(await findDraft(ctx.db, actor.user_id, id))
  const files = await checkChangedFiles(ctx, actor, before, change)
  return transaction(ctx, async (tx) => {
    const draft = found(await lockDraft(tx, actor.user_id, id))
    await ensureSendable(tx, actor, draft)
    await applyChange(tx, ctx, actor, draft, change, files)
    return finish(tx, ctx, actor.user_id, id)
  })
}
