import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

/** How many people these messages call, each message apart: by name, by tag, as everybody, or alone with the author. */
export async function countCalled(db: Db, messageIds: readonly number[]): Promise<number> {
  const [row] = await read(
    db,
    sql<{ called: number }>`
    select count(distinct (m.id, c.user_id)) as called
    from messages m
    join chats on chats.id = m.chat_id
    cross join lateral (
      select n.user_id from mentions n where n.message_id = m.id and n.user_id is not null
      union all
      select t.user_id from mentions n join user_tags t on t.tag_id = n.tag_id
        join chat_members o on o.chat_id = m.chat_id and o.user_id = t.user_id
      where n.message_id = m.id
      union all
      select o.user_id from mentions n join chat_members o on o.chat_id = m.chat_id and not o.bot
      where n.message_id = m.id and n.user_id is null and n.tag_id is null
      union all
      select o.user_id from chat_members o where chats.kind = 'personal' and o.chat_id = m.chat_id and not o.bot
    ) c
    where m.id = any(${[...messageIds]}) and c.user_id <> m.user_id`,
  )
  return row?.called ?? 0
}
