import type { Line } from '@parley/imports'
import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'
import { shownChat, time, times } from './line-sql.js'

export function listChats(db: Db, after: number, limit: number) {
  return read(
    db,
    sql<Line<'chat'>>`
    select c.id, c.kind as type, c.name, c.description, c.public, c.owner_id,
      string_to_array(c.personal_key, ':')::bigint[] as people,
      array(select tag_id from chat_tags t where t.chat_id = c.id order by tag_id) as tag_ids,
      ${times('c', 'archived_at', 'created_at', 'last_message_at')}
    from chats c where c.id > ${after} and ${shownChat('c.id')} order by c.id limit ${limit}`,
  )
}

type Pair = { chat_id: number; person_id: number }

/** Times after 2199 have no place in a file. */
const CHAT_NOTIFICATIONS = sql`(select user_id, chat_id, level,
  least(muted_until, '2199-12-31T00:00:00Z'::timestamptz) as muted_until from chat_notifications)`

export function listMembers(db: Db, after: Pair, limit: number) {
  return read(
    db,
    sql<Line<'chat_member'>>`
    select m.chat_id, m.user_id as person_id, m.role, m.manual as by_hand, m.tag_ids, ${times('m', 'joined_at')}, m.hidden,
      m.notify_threads, case when n.user_id is not null
        then jsonb_build_object('level', n.level, 'muted_until', ${time('n.muted_until')}) end as notifications
    from chat_members m left join ${CHAT_NOTIFICATIONS} n on n.chat_id = m.chat_id and n.user_id = m.user_id
    where (m.chat_id, m.user_id) > (${after.chat_id}, ${after.person_id}) and ${shownChat('m.chat_id')}
    order by m.chat_id, m.user_id limit ${limit}`,
  )
}

/** Up to which message each member has read; a message that is gone is told by the last one before it. */
export function listReads(db: Db, since: string | null, after: Pair, limit: number) {
  const late = since === null ? sql`true` : sql`m.created_at >= ${since}::timestamptz`
  return read(
    db,
    sql<Line<'read'>>`
    select * from (
      select r.chat_id, r.user_id as person_id, coalesce(
        (select m.id from messages m where m.id = r.read_message_id and ${late}),
        (select max(m.id) from messages m
          where m.chat_id = r.chat_id and m.id < r.read_message_id and m.deleted_at is null and ${late})) as message_id
      from chat_members r
      where (r.chat_id, r.user_id) > (${after.chat_id}, ${after.person_id}) and r.read_message_id > 0 and ${shownChat('r.chat_id')}
    ) marks where message_id is not null order by chat_id, person_id limit ${limit}`,
  )
}

export function listThreads(db: Db, after: number, limit: number) {
  return read(
    db,
    sql<Line<'thread'>>`
    select t.id, t.chat_id, t.message_id, t.message_chat_id as parent_chat_id, t.creator_id, ${times('t', 'created_at', 'updated_at')}
    from threads t where t.id > ${after} and ${shownChat('t.chat_id')} order by t.id limit ${limit}`,
  )
}

/** Drafts in chats that are in the file; those to a person belong to a personal chat. */
export function listDrafts(db: Db, after: number, limit: number) {
  return read(
    db,
    sql<Line<'draft'>>`
    select d.id, d.user_id as person_id, d.chat_id, d.to_user_id as to_person_id, d.content, d.parent_message_id as parent_id,
      d.interval, ${times('d', 'start_date', 'end_date')}, d.days, d.nth_day, ${times('d', 'next_send_at', 'due_at')},
      d.failures, d.utc_offset, d.time_zone, ${times('d', 'created_at', 'updated_at')}
    from drafts d
    where d.id > ${after} and ${shownChat('d.chat_id')}
      and (d.to_user_id is null or not exists (select from portable_hidden))
    order by d.id limit ${limit}`,
  )
}

export function listTasks(db: Db, after: number, limit: number) {
  return read(
    db,
    sql<Line<'task'>>`
    select t.id, t.kind as type, t.content, ${times('t', 'due_at')}, t.all_day, t.priority, t.user_id as person_id, t.chat_id,
      ${times('t', 'done_at', 'remind_at', 'created_at')},
      array(select user_id from task_performers p where p.task_id = t.id order by user_id) as performer_ids,
      coalesce((select jsonb_agg(jsonb_build_object('property_id', v.property_id, 'value', v.value) order by v.property_id)
        from task_properties v where v.task_id = t.id), '[]') as properties
    from tasks t where t.id > ${after} and ${shownChat('t.chat_id')} order by t.id limit ${limit}`,
  )
}
