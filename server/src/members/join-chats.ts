import { sql } from 'kysely'
import { type Actor, isAdmin } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'

/** Which of these chats the actor may add people to: live ones that are open, or that he is in. */
export async function lockJoinableFor(tx: Tx, actor: Actor, chatIds: readonly number[]): Promise<number[]> {
  const open = actor.role === 'multi_guest' ? sql`false` : sql`c.public`
  const { rows } = await sql<{ id: number }>`
    select c.id from chats c
    where c.id = any(${chatIds}) and c.kind in ('conversation', 'channel') and c.archived_at is null
      and (${open} or exists (select from chat_members m where m.chat_id = c.id and m.user_id = ${actor.user_id}))
    order by c.id for share of c`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Puts a new person into chats by hand; owner and admins of the workspace come in as admins of the chat. */
export async function joinChats(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  user: { id: number; role: string },
  chatIds: readonly number[],
) {
  const joined_at = present(ctx.clock)
  const role = isAdmin({ role: user.role } as Actor) ? 'admin' : 'member'
  for (const chat_id of chatIds) {
    await tx
      .insertInto('chat_members')
      .values({ chat_id, user_id: user.id, role, joined_at })
      .onConflict((conflict) => conflict.columns(['chat_id', 'user_id']).doUpdateSet({ manual: true }))
      .execute()
    const payload = {
      chat_id,
      root_chat_id: chat_id,
      thread_id: null,
      user_ids: [user.id],
      created_at: joined_at.toISOString(),
    }
    await emit(tx, ctx, actor, { type: 'chat_members.added', chat_id, payload })
  }
  const joins = chatIds.map((chat_id) => ({
    event_key: 'user_chat_join',
    entity_type: 'Chat',
    entity_id: chat_id,
    actor_id: user.id,
    details: { inviter_id: actor.user_id },
  }))
  await record(tx, ctx, actor, joins)
}
