import type { Draft, DraftPlaceRequest } from '@parley/contract'
import { attachFiles, type CheckedFile, replaceFiles } from '../files/attach.js'
import { listFiles } from '../files/queries.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { removeAndEmit } from './delete.js'
import { checkDraftFiles } from './files.js'
import { findPlace, findWritablePlace, type Place } from './place.js'
import { findPlainDraft, insertDraft, lockDraft, lockPlace, updateDraftRow } from './queries.js'
import { checkContent, checkParent, finish } from './save.js'

type DraftAt = DraftPlaceRequest['draft']

/** The plain draft of a place, held until the commit together with the place. */
async function lockPlainDraft(tx: Tx, actor: Actor, place: Place) {
  await lockPlace(tx, actor.user_id, place)
  const id = await findPlainDraft(tx, actor.user_id, place)
  return id === undefined ? undefined : lockDraft(tx, actor.user_id, id)
}

/** Works even where nothing may be written any more. */
function clearPlace(ctx: Context, actor: Actor, input: DraftAt): Promise<null> {
  return transaction(ctx, async (tx) => {
    const place = await findPlace(tx, actor, input)
    const draft = place && (await lockPlainDraft(tx, actor, place))
    if (draft) await removeAndEmit(tx, ctx, draft)
    return null
  })
}

async function checkFilesAt(ctx: Context, actor: Actor, input: DraftAt): Promise<CheckedFile[]> {
  if (!input.files?.length) return []
  const { place } = await findWritablePlace(ctx.db, ctx, actor, input)
  const draft_id = await findPlainDraft(ctx.db, actor.user_id, place)
  const attached = draft_id === undefined ? [] : await listFiles(ctx.db, { draft_id })
  return checkDraftFiles(ctx, actor, input.files, attached)
}

async function write(tx: Tx, ctx: Context, actor: Actor, input: DraftAt, files: CheckedFile[]) {
  const { content = '', parent_message_id = null } = input
  const { chat, place } = await findWritablePlace(tx, ctx, actor, input)
  checkContent(content, files.length > 0)
  await checkParent(tx, chat?.id, parent_message_id)
  const updated_at = now(ctx.clock)
  const draft = await lockPlainDraft(tx, actor, place)
  if (draft) {
    await updateDraftRow(tx, draft.id, { content, parent_message_id, updated_at })
    await replaceFiles(tx, ctx, actor, { draft_id: draft.id }, files)
    return draft.id
  }
  const author = { user_id: actor.user_id, created_at: updated_at }
  const id = await insertDraft(tx, { ...author, ...place, content, parent_message_id, updated_at })
  await attachFiles(tx, ctx, actor, { draft_id: id }, files)
  return id
}

/** Makes, replaces or, where nothing is left of it, deletes the content of the input field of a place. */
export async function putDraftAt(ctx: Context, actor: Actor, input: DraftAt): Promise<Draft | null> {
  const { content = '', files: given = [] } = input
  if (content.trim() === '' && given.length === 0) return clearPlace(ctx, actor, input)
  const files = await checkFilesAt(ctx, actor, input)
  return transaction(ctx, async (tx) =>
    finish(tx, ctx, actor.user_id, await write(tx, ctx, actor, input, files)),
  )
}
