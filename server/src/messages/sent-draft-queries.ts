import type { DraftEntityType } from '@parley/contract'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

interface Place {
  entity_type: DraftEntityType
  entity_id: number
  scheduled: boolean
}

/** Deletes a draft of this person and returns its place; undefined where there is none. */
export async function deleteOwnDraft(tx: Tx, userId: number, id: number): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    with gone as (
      delete from drafts where id = ${id} and user_id = ${userId} returning chat_id, to_user_id, interval)
    select case when g.to_user_id is not null then 'user' when t.id is not null then 'thread' else 'discussion' end
        as entity_type,
      coalesce(g.to_user_id, t.id, g.chat_id) as entity_id, g.interval is not null as scheduled
    from gone g left join threads t on t.chat_id = g.chat_id`.execute(tx)
  return rows[0]
}
