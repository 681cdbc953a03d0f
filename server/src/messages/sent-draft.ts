import { draftDeleted } from '@parley/contract'
import { dropFilesOf } from '../files/attach.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'
import { deleteOwnDraft } from './sent-draft-queries.js'

/** The draft that became a message. One that is not there any more, or is somebody else's, changes nothing. */
export async function removeSentDraft(tx: Tx, ctx: Context, actor: Actor, id: number) {
  const place = await deleteOwnDraft(tx, actor.user_id, id)
  if (!place) return
  await dropFilesOf(tx, ctx, { draft_id: id })
  await emit(tx, ctx, actor, draftDeleted, { user_id: actor.user_id, draft_id: id, ...place })
}
