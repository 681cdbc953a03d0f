import { type DraftEntityType, draftDeleted } from '@parley/contract'
import { sql } from 'kysely'
import { dropFilesOf } from '../files/attach.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'

interface Place {
  entity_type: DraftEntityType
  entity_id: number
  scheduled: boolean
}

async function deleteOwnDraft(tx: Tx, userId: number, id: number): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    with gone as (
      delete from drafts where id = ${id} and user_id = ${userId} returning chat_id, to_user_id, interval)
    select case when g.to_user_id is not null then 'user' when t.id is not null then 'thread' else 'discussion' end
        as entity_type,
      coalesce(g.to_user_id, t.id, g.chat_id) as entity_id, g.interval is not null as scheduled
    from gone g left join threads t on t.chat_id = g.chat_id`.execute(tx)
  return rows[0]
}

/** The draft that became a message. One that is not there any more, or is somebody else's, changes nothing. */
export async function removeSentDraft(tx: Tx, ctx: Context, actor: Actor, id: number) {
  const place = await deleteOwnDraft(tx, actor.user_id, id)
  if (!place) return
  await dropFilesOf(tx, ctx, { draft_id: id })
  await emit(tx, ctx, actor, draftDeleted, { user_id: actor.user_id, draft_id: id, ...place })
}
