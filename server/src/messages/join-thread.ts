import { sql } from 'kysely'
import { insertMembers } from '../chats/member-queries.js'
import type { ChatFor } from '../chats/queries.js'
import { emitJoined } from '../chats/roster.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'

export type ThreadChat = Pick<ChatFor, 'id' | 'thread_id' | 'parent_chat_id'>

/** Those among these people who may be in a thread: guests of one chat only in the threads of that chat. */
async function admissible(tx: Tx, chat: ThreadChat, userIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u
    where u.id = any(${userIds}) and u.deleted_at is null and not u.suspended
      and (u.role <> 'guest' or exists (
        select from chat_members m where m.user_id = u.id and m.chat_id = ${chat.parent_chat_id}::bigint))
      and not exists (select from chat_members m where m.chat_id = ${chat.id} and m.user_id = u.id)
    order by u.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Makes people members of a thread; those who are in it stay as they are, and only newcomers are told of. */
export async function joinThread(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  chat: ThreadChat,
  userIds: readonly number[],
) {
  if (userIds.length === 0) return
  const ids = await admissible(tx, chat, userIds)
  if (ids.length === 0) return
  const added = await insertMembers(tx, chat.id, ids, { role: 'member', joined_at: now(ctx.clock) })
  await emitJoined(tx, ctx, actor, chat, added)
}
