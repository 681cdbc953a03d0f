import { sql } from 'kysely'
import { listDisplayNames } from '../chats/queries.js'
import { postSystemMessage } from '../messages/system.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { tellLeft } from './roster.js'

interface Left {
  id: number
  thread_id: number | null
  parent_chat_id: number | null
  /** A live closed conversation says in its feed who went. */
  says: boolean
}

/** Takes a person out of every conversation, channel and thread; personal chats stay as they are. */
export async function leaveEverything(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  const { rows: left } = await sql<Left>`
    with gone as (
      delete from chat_members m using chats c
      where m.user_id = ${userId} and c.id = m.chat_id and c.kind <> 'personal'
      returning c.id, c.kind = 'conversation' and not c.public and c.archived_at is null as says
    )
    select gone.*, t.id as thread_id, t.message_chat_id as parent_chat_id
    from gone left join threads t on t.chat_id = gone.id order by gone.id`.execute(tx)
  const names = await listDisplayNames(tx, [userId])
  for (const chat of left) {
    await tellLeft(tx, ctx, actor, chat, [userId])
    if (chat.says) await postSystemMessage(tx, ctx, actor, chat.id, `${names.get(userId)} left the workspace`)
  }
}
