import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

/**
 * How many people these messages call, each message apart: by name, by tag, as everybody, or alone with the author. Who is not in
 * the chat, or suspended, is not told.
 */
export async function countCalled(db: Db, messageIds: readonly number[]): Promise<number> {
  const [row] = await read(
    db,
    sql<{ called: number }>`
    select count(*) as called
    from messages m
    join chats c on c.id = m.chat_id
    join chat_members o on o.chat_id = c.id and not o.bot and o.user_id <> m.user_id
    join users u on u.id = o.user_id and not u.suspended
    where m.id = any(${[...messageIds]}) and (c.kind = 'personal' or exists (
      select from mentions n where n.message_id = m.id and (n.user_id = o.user_id or (n.user_id is null and (n.tag_id is null
        or exists (select from user_tags t where t.tag_id = n.tag_id and t.user_id = o.user_id))))))`,
  )
  return row?.called ?? 0
}
