import { sql } from 'kysely'
import type { FileRow } from '../files/queries.js'
import { type Db, read } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'

export interface ChatFileRow extends FileRow {
  message_id: number
  user_id: number
  sent_at: Date
  thread_id: number | null
}

/** Files of a chat, latest first: the page of each type is one range of an index, and they are merged. */
export async function listChatFileRows(
  db: Db,
  chatId: number,
  types: readonly string[],
  paging: Paging,
): Promise<ChatFileRow[]> {
  const id = sql`f.id`
  const { orderBy, limit } = keyset(paging, { id })
  const inChat = keyset(paging, { of: ['f.chat_id', sql`${chatId}::bigint`], id })
  return read(
    db,
    sql<ChatFileRow>`
    select f.*, m.user_id, m.created_at as sent_at, t.id as thread_id
    from (select f.* from unnest(${types}::text[]) as type cross join lateral (
        select * from files f where f.file_type = type and ${inChat.where}
        order by ${inChat.orderBy} limit ${limit}) f
      order by ${orderBy} limit ${limit}) f
    join messages m on m.id = f.message_id
    left join threads t on m.chat_id <> m.root_chat_id and t.chat_id = m.chat_id
    order by ${orderBy}`,
  )
}
