import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { otherSideSql } from './personal.js'
import { CHAT_FOR_SQL, type ChatFor } from './queries.js'

/** What hangs on a chat, as somebody sees it. */
export interface ChatDetail {
  member_ids: number[]
  group_tag_ids: number[]
  /** Of a thread: its id, and whether the chat it hangs in is public. */
  detail_thread_id: number | null
  detail_public: boolean | null
  /** Of a personal chat: the name of the other side; of deleted people too. */
  other_name: string | null
}

/**
 * Of the chat `c`, its thread `t` and the chat `p` that it hangs in, in the statement that reads them. Members are read
 * from the index alone and held against the few who are suspended, as JSON: a page may name thousands of them.
 */
function detailSql(viewerId: number): RawBuilder<unknown> {
  const viewer = sql`${viewerId}::bigint`
  return sql`array_to_json(array(
      select m.user_id from chat_members m
      where m.chat_id = c.id and m.user_id not in (select id from users where suspended or deleted_at is not null)
      order by m.user_id)) as member_ids,
    coalesce((select json_agg(g.tag_id order by g.tag_id) from chat_tags g where g.chat_id = c.id), '[]') as group_tag_ids,
    t.id as detail_thread_id, p.public as detail_public,
    case when c.kind = 'personal' then (
      select coalesce(nullif(concat_ws(' ', nullif(o.first_name, ''), nullif(o.last_name, '')), ''), o.nickname)
      from (select ${viewer} as id) viewer join users o on o.id = ${sql.raw(otherSideSql('viewer.id'))}) end as other_name`
}

/** The details of these chats by id. */
export async function listChatDetails(
  db: Db,
  viewer: Pick<Actor, 'user_id'>,
  ids: readonly number[],
): Promise<Map<number, ChatDetail>> {
  const rows = await read(
    db,
    sql<ChatDetail & { chat_id: number }>`
    select c.id as chat_id, ${detailSql(viewer.user_id)}
    from unnest(${ids}::bigint[]) as asked (id) join chats c on c.id = asked.id
    left join threads t on t.chat_id = c.id left join chats p on p.id = t.message_chat_id`,
  )
  return new Map(rows.map((row) => [row.chat_id, row]))
}

/** `findChatFor` with its details in the same statement. */
export async function findDetailedChatFor(db: Db, actor: Pick<Actor, 'user_id'>, chatId: number) {
  const rows = await read(
    db,
    sql<ChatFor & ChatDetail>`select ${CHAT_FOR_SQL(actor, chatId, sql`, ${detailSql(actor.user_id)}`)}`,
  )
  return rows[0]
}
