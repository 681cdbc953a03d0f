import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'

interface Left {
  chat_id: number
  thread_id: number | null
  root_chat_id: number
}

/** Takes a person out of every conversation, channel and thread; personal chats stay as they are. */
export async function leaveEverything(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  const { rows: left } = await sql<Left>`
    with gone as (
      delete from chat_members m using chats c
      where m.user_id = ${userId} and c.id = m.chat_id and c.kind <> 'personal'
      returning m.chat_id
    )
    select gone.chat_id, t.id as thread_id, coalesce(t.message_chat_id, gone.chat_id) as root_chat_id
    from gone left join threads t on t.chat_id = gone.chat_id order by gone.chat_id`.execute(tx)
  const created_at = present(ctx.clock).toISOString()
  for (const chat of left) {
    const payload = { ...chat, user_ids: [userId], created_at }
    await emit(tx, ctx, actor, { type: 'chat_members.removed', chat_id: chat.chat_id, payload })
  }
  const leaves = left.map(({ chat_id }) => ({
    event_key: 'user_chat_leave',
    entity_type: 'Chat',
    entity_id: chat_id,
    actor_id: userId,
    details: { initiator_id: actor.user_id },
  }))
  await record(tx, ctx, actor, leaves)
}
