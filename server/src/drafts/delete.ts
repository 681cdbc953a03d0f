import { dropFilesOf } from '../files/attach.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { found } from '../platform/problem.js'
import { emitDraftDeleted } from './events.js'
import { type DraftRow, deleteDraftRows, lockDraft } from './queries.js'

/** Takes a draft away with its files; one that was scheduled is not sent any more. */
export async function removeDraft(tx: Tx, ctx: Context, id: number) {
  await dropFilesOf(tx, ctx, { draft_id: id })
  await deleteDraftRows(tx, [id])
}

/** The same for a draft of somebody who is there: other devices hear of it. */
export async function removeAndEmit(tx: Tx, ctx: Context, draft: DraftRow) {
  await removeDraft(tx, ctx, draft.id)
  await emitDraftDeleted(tx, ctx, draft)
}

/** Works for the author even where the chat is closed by now. */
export function deleteDraft(ctx: Context, actor: Actor, id: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    await removeAndEmit(tx, ctx, found(await lockDraft(tx, actor.user_id, id)))
  })
}
