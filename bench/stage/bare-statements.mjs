// The same work as the server's, asked of the database by the bare driver: one statement for each message.
import { entitySql, messageJsonSql } from '../../server/dist/messages/message-sql.js'

const TABLES = ['message_quotas', 'messages', 'chats', 'chat_members', 'events', 'audit_waiting']

/** What a row of a table is written with: all but what follows from it. */
async function columnsOf(db, table) {
  const { rows } = await db.query(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  return rows[0].names
}

/** Copies of the tables that a message touches, with their indexes, which no server looks at. */
export async function makeBareTables(db, { rooms, hall }) {
  await db.query('create schema bare')
  for (const table of TABLES)
    await db.query(`create table bare.${table} (like public.${table} including all)`)
  const columns = await columnsOf(db, 'chats')
  await db.query(
    `insert into bare.chats (${columns}) overriding system value select ${columns} from public.chats where id = any($1)`,
    [[...rooms, hall]],
  )
  await db.query('insert into bare.chat_members select * from public.chat_members where chat_id = any($1)', [
    [...rooms, hall],
  ])
  await db.query('analyze bare.chats, bare.chat_members')
}

/** $1 chat, $2 author, $3 text. Counts, numbers, writes, moves chat and pointer, and inserts the event and the audit row. */
export const POST_STATEMENT = `
  with fit as (
    select c.id from bare.chats c join bare.chat_members me on me.chat_id = c.id and me.user_id = $2
    where c.id = $1 and c.archived_at is null and (c.kind <> 'channel' or me.role <> 'member')
    for no key update of c
  ), quota as (
    insert into bare.message_quotas as q (user_id, chat_id, sent) select $2, id, 1 from fit
    on conflict (user_id, chat_id) do update set sent = q.sent + 1, pause_s = null, paused_until = null
    returning sent
  ), m as (
    insert into bare.messages (id, chat_id, root_chat_id, user_id, content, quota_number, created_at, changed_at)
    select nextval('messages_id_seq'), $1, $1, $2, $3, sent, now(), now() from quota
    returning id, content
  ), moved as (
    update bare.chats c set last_message_id = m.id, last_message_at = now(), version = c.version + 1 from m where c.id = $1
  ), pointed as (
    update bare.chat_members me set read_message_id = m.id from m where me.chat_id = $1 and me.user_id = $2
  ), told as (
    insert into bare.events (type, chat_id, actor_id, payload, created_at)
    select 'message.created', $1, $2, jsonb_build_object('message_id', m.id, 'content', m.content), now() from m
  ), logged as (
    insert into bare.audit_waiting (created_at, sequences, message_ids, actor_ids, ip_addresses, user_agents)
    select now(), array[nextval('audit_events_sequence_seq')], array[m.id], array[$2::bigint], array['127.0.0.1'], array['bench']
    from m
  )
  select id from m`

/** $1 chat, $2 the message before which the page lies, $3 the viewer. The page as JSON text, as the server asks for it. */
export const PAGE_STATEMENT = `
  select string_agg(${messageJsonSql(`'http://localhost:8080'`)}, ',' order by m.id desc)
  from (select m.* from messages m where m.chat_id = $1 and m.deleted_at is null and m.id < $2 order by m.id desc limit 50) m
  join chats c on c.id = m.chat_id join users u on u.id = m.user_id left join threads t on t.message_id = m.id
  cross join ${entitySql('$3::bigint')}`
