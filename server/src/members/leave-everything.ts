import { sql } from 'kysely'
import { tellLeft } from '../chats/roster.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'

interface Left {
  id: number
  thread_id: number | null
  parent_chat_id: number | null
}

/** Takes a person out of every conversation, channel and thread; personal chats stay as they are. */
export async function leaveEverything(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  const { rows: left } = await sql<Left>`
    with gone as (
      delete from chat_members m where m.user_id = ${userId} and m.place <> 'personal' returning m.chat_id
    )
    select gone.chat_id as id, t.id as thread_id, t.message_chat_id as parent_chat_id
    from gone left join threads t on t.chat_id = gone.chat_id order by gone.chat_id`.execute(tx)
  for (const chat of left) await tellLeft(tx, ctx, actor, chat, [userId])
}
