import { sql } from 'kysely'
import type { ChatFor } from '../chats/queries.js'
import { type Db, read } from '../platform/db/index.js'
import { only } from '../platform/db/only-sql.js'

const inChat = (chatId: number) => only(['chat_id', sql`${chatId}::bigint`])

/** Ids on one side of a message, nearest first. Living messages and stubs have an index each, read by turns. */
export async function listSide(
  db: Db,
  chatId: number,
  side: '<' | '>' | '>=',
  id: number,
  count: number,
): Promise<number[]> {
  const way = sql.raw(side === '<' ? 'desc' : 'asc')
  const part = (state: string) => sql`(select id from messages where ${inChat(chatId)}
    and deleted_at is ${sql.raw(state)} and id ${sql.raw(side)} ${id} order by chat_id ${way}, id ${way} limit ${count})`
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from (${part('null')} union all ${part('not null')}) near order by id ${way} limit ${count}`,
  )
  return rows.map((row) => row.id)
}

/** The first message that is not earlier than a time: ids of a chat follow time, so the place is found by halving. */
export async function findAt(db: Db, chatId: number, time: Date): Promise<number | undefined> {
  const rows = await read(
    db,
    sql<{ id: number | null }>`
    with recursive ends as (
      select (select id from messages where ${inChat(chatId)} and deleted_at is null order by chat_id, id limit 1) as first,
        (select id from messages where ${inChat(chatId)} and deleted_at is null
          order by chat_id desc, id desc limit 1) as last
    ), halved (low, high, best) as (
      select first, last + 1, null::bigint from ends where first is not null
      union all
      select case when m.created_at < ${time} then m.id + 1 else low end,
        case when m.created_at < ${time} then high else (low + high) / 2 end,
        case when m.created_at >= ${time} then m.id else best end
      from halved left join lateral (
        select id, created_at from messages where ${inChat(chatId)} and deleted_at is null
          and id >= (low + high) / 2 and id < high order by chat_id, id limit 1) m on true
      where low < high)
    select min(best) as id from halved`,
  )
  return rows[0]?.id ?? undefined
}

export async function findFirstUnread(db: Db, chat: ChatFor): Promise<number | undefined> {
  if (chat.my_read_message_id === null) return undefined
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from messages where ${inChat(chat.id)} and deleted_at is null and not system
      and id > ${chat.my_read_message_id} order by chat_id, id limit 1`,
  )
  return rows[0]?.id
}
