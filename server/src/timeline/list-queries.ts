import type { ThreadInboxItem } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { UNREAD_SQL } from '../chats/cards.js'
import { readableSql } from '../chats/read-sql.js'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { opaqueId } from '../platform/db/opaque-sql.js'
import { ownersPageSql } from '../platform/http/owners-page-sql.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { ownThreadsSql } from '../threads/queries.js'
import { lastRepliesSql, threadFieldsSql } from './replies-sql.js'

/** Messages that name the actor and that the actor may read, newest first: by name, and in own chats by tag or all. */
export async function listMentionRows(
  db: Db,
  actor: Actor,
  paging: Paging,
): Promise<{ message_id: number }[]> {
  const id = sql`n.message_id`
  const all = keyset(paging, { id: sql`id` })
  const mine = keyset(paging, { of: ['n.user_id', sql`${actor.user_id}::bigint`], id })
  // Fenced, so that each is looked up in turn until the page is full, whatever the planner expects of those that may be read.
  const said = (open: RawBuilder<unknown>) => sql`
    cross join lateral (select from messages m join chats root on root.id = m.root_chat_id
      where m.id = n.message_id and m.deleted_at is null and m.user_id <> ${actor.user_id} and ${open} offset 0) m`
  const meant = (name: string) => sql`(${sql.ref(`${name}.tag_id`)} is null
    or exists (select from user_tags ut where ut.tag_id = ${sql.ref(`${name}.tag_id`)} and ut.user_id = ${actor.user_id}))`
  // A message that names the actor by several tags counts once, or pages would be short.
  const again = sql`exists (select from mentions o where o.message_id = n.message_id and o.user_id is null
    and coalesce(o.tag_id, 0) < coalesce(n.tag_id, 0) and ${meant('o')})`
  const many = ownersPageSql(paging, {
    owners: sql`select chat_id as id from chat_members where user_id = ${opaqueId(actor.user_id)}`,
    owner: 'n.chat_id',
    owned: sql`(select true from chat_members m where m.chat_id = n.chat_id and m.user_id = ${actor.user_id})`,
    table: sql`mentions n`,
    id,
    within: sql`n.user_id is null`,
    where: sql`${meant('n')} and not ${again}`,
    joins: said(sql`true`),
  })
  const rows = await read(
    db,
    sql<{ message_id: number }>`
    select id as message_id from (
      (select n.message_id as id from mentions n ${said(readableSql(actor))} where ${mine.where}
        order by ${mine.orderBy} limit ${all.limit})
      union (${many})) n
    order by ${all.orderBy} limit ${all.limit}`,
  )
  return rows
}

export interface InboxRow {
  id: number
  updated_at: Date
  message_id: number | null
  reply_ids: number[] | null
  thread: ThreadInboxItem['thread']
}

/** The threads that the actor is in, latest reply first, each with its last two replies. */
export async function listInboxRows(db: Db, actor: Actor, paging: Paging): Promise<InboxRow[]> {
  const columns = { id: sql`t.id`, value: sql`t.updated_at`, cast: 'timestamptz' as const }
  const { orderBy } = keyset(paging, columns)
  const rows = await read(
    db,
    sql<InboxRow>`
    select t.id, t.updated_at, t.message_id,
      array(select id from (${sql.raw(lastRepliesSql('c.id', 2))}) late order by id) as reply_ids,
      json_build_object(${sql.raw(threadFieldsSql('c'))}, 'root_chat_id', coalesce(t.message_chat_id, c.id),
        'following', true, 'unread_count', ${sql.raw(UNREAD_SQL)}) as thread
    from (${ownThreadsSql(actor, paging)}) own
      cross join lateral (select * from threads t where t.id = own.id offset 0) t
      join chats c on c.id = t.chat_id
      join chat_members me on me.chat_id = c.id and me.user_id = ${actor.user_id}
    order by ${orderBy}`,
  )
  return rows
}
