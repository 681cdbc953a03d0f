import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

/** Those of these people who may be in a thread and are not: guests of one chat only in the threads of that chat. */
export async function listAdmissible(
  db: Db,
  thread: { id: number; parent_chat_id: number | null },
  userIds: readonly number[],
): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select u.id from users u
    where u.id = any(${userIds}) and u.deleted_at is null and not u.suspended
      and (u.role <> 'guest' or exists (
        select from chat_members m where m.user_id = u.id and m.chat_id = ${thread.parent_chat_id}::bigint))
      and not exists (select from chat_members m where m.chat_id = ${thread.id} and m.user_id = u.id)
    order by u.id`,
  )
  return rows.map(({ id }) => id)
}

export async function findThreadChat(db: Db, threadId: number): Promise<number | undefined> {
  const thread = await db
    .selectFrom('threads')
    .select('chat_id')
    .where('id', '=', threadId)
    .executeTakeFirst()
  return thread?.chat_id
}
