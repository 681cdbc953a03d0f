// A long history: messages with all rows the server writes for each, made inside the database.
import { randomFrom, sentence } from './words.mjs'

const SENTENCES = 5000
const STEP = 250_000

async function makeSentences(db) {
  const random = randomFrom(7)
  const texts = Array.from({ length: SENTENCES }, () => sentence(random))
  await db.query('drop table if exists bench_texts')
  await db.query('create unlogged table bench_texts (n int, text text)')
  await db.query(
    `insert into bench_texts select n - 1, t from unnest($1::text[]) with ordinality as x (t, n)`,
    [texts],
  )
  await db.query('analyze bench_texts')
}

/** Indexes of a table that no constraint needs: they go while it is filled, and come back after. */
async function dropIndexes(db, table) {
  const { rows } = await db.query(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of rows) await db.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of rows) await db.query(definition)
  }
}

/** Messages `from` to `to` of the past, spread over the rooms; a tenth of them in the hall. */
async function writeMessages(db, { rooms, hall, writers }, from, to) {
  await db.query(
    `insert into messages (id, chat_id, root_chat_id, user_id, content, created_at, changed_at, number)
     select m.id, m.chat_id, m.chat_id, m.user_id, a.text || ' ' || b.text, m.at, m.at,
       c.messages_count + row_number() over (partition by m.chat_id order by m.id)
     from (
       select nextval('messages_id_seq') as id, n, date_trunc('milliseconds', now()) - interval '400 days' + n * interval '3 seconds' as at,
         case when n % 10 = 0 then $3::bigint else ($4::bigint[])[1 + n * 7919 % $5] end as chat_id,
         ($6::bigint[])[1 + n * 104729 % $7] as user_id
       from generate_series($1::bigint, $2::bigint) n order by n
     ) m
     join chats c on c.id = m.chat_id
     join bench_texts a on a.n = (m.n * 31 % ${SENTENCES})::int
     join bench_texts b on b.n = (m.n * 17 / 5 % ${SENTENCES})::int
     order by m.id`,
    [from, to, hall, rooms, rooms.length, writers.map(({ id }) => id), writers.length],
  )
}

/** Chats count their messages: unread counts are differences of numbers. */
async function countMessages(db, fromId, toId) {
  await db.query(
    `update chats c set messages_count = c.messages_count + x.count
     from (select chat_id, count(*) from messages where id between $1 and $2 group by chat_id) x
     where c.id = x.chat_id`,
    [fromId, toId],
  )
}

/** The words of all of them are those of the sentences. */
async function learnWords(db) {
  await db.query(
    `insert into search_words select distinct word from bench_texts, unnest(string_to_array(search_clean(text), ' ')) as word
     where word not in (select word from search_words)`,
  )
}

/** As in a workspace where twenty messages a second are sent. */
const BLOCK = 20

/** The events and the audit trail of these messages, as sending them would have left and time has not yet removed. */
async function writeTraces(db, fromId, toId, { events, audit }) {
  if (events) {
    await db.query(
      `insert into events (type, chat_id, actor_id, payload, created_at, position)
       select 'message.created', chat_id, user_id, jsonb_build_object('message_id', id, 'content', content), now(),
         nextval('events_position_seq')
       from messages where id between $1 and $2 order by id`,
      [fromId, toId],
    )
    await db.query('update relay_cursor set position = (select max(position) from events)')
  }
  if (!audit) return
  await db.query(
    `insert into audit_blocks (position, first_position, previous_hash, hash, bucket, first_message_id, last_message_id,
       created_times, sequences, message_ids, actor_ids, ip_addresses, user_agents)
     select max(head_position + n), min(head_position + n), sha256('before'), sha256(max(m.id)::text::bytea),
       audit_bucket(min(created_at)), min(m.id), max(m.id), array_agg(created_at order by m.id),
       array_agg(nextval('audit_events_sequence_seq') order by m.id), array_agg(m.id order by m.id),
       array_agg(user_id order by m.id), array_agg('127.0.0.1'::text), array_agg('bench'::text)
     from (select *, row_number() over (order by id) as n from messages where id between $1 and $2) m, audit_chain
     group by (n - 1) / ${BLOCK} order by 1`,
    [fromId, toId],
  )
  await db.query('update audit_chain set head_position = (select max(position) from audit_blocks)')
}

/** Chats point at their last message, and people have read nearly everything. */
async function settle(db, { rooms, hall }) {
  await db.query(
    `update chats c set last_message_id = x.id, last_message_at = x.at, version = version + 1
     from (select c.id as chat_id, m.id, m.created_at as at from unnest($1::bigint[]) c (id)
       cross join lateral (select id, created_at from messages where chat_id = c.id and deleted_at is null order by id desc limit 1) m) x
     where c.id = x.chat_id`,
    [[...rooms, hall]],
  )
  await db.query(
    `update chat_members m set (read_message_id, read_number) = (
       select coalesce(max(id), 0), coalesce(max(number), 0) from (
         select id, number from messages x where x.chat_id = m.chat_id and deleted_at is null
         order by id desc offset (m.user_id + m.chat_id) % 12 limit 1) last_read)`,
  )
}

/** The times of the segments that search goes through, which the server would note within the next minute. */
export async function noteSegments(db) {
  await db.query(
    `insert into search_segments select id >> 12, '1', min(created_at), max(created_at) from messages
     where id >> 12 < (select last_value >> 12 from messages_id_seq) group by 1 on conflict (segment) do nothing`,
  )
}

/** Events are kept a week and the audit log three months, so that only the latest messages have them. */
const EVENTS_KEPT = 500_000
const AUDIT_KEPT = 2_500_000

/** Brings the workspace to so many messages, and returns how long it took. */
export async function fillHistory(db, stage, { have, want, say = () => {} }) {
  const began = performance.now()
  // Rows come sealed and counted as they are given: no trigger looks at them.
  await db.query('set session_replication_role = replica')
  await makeSentences(db)
  await learnWords(db)
  // The rooms of a big past are long ones: index order is restored by building the indexes afterwards.
  const restore = [
    await dropIndexes(db, 'messages'),
    await dropIndexes(db, 'events'),
    await dropIndexes(db, 'audit_blocks'),
  ]
  for (let n = have; n < want; n += STEP) {
    const to = Math.min(n + STEP, want)
    const { rows } = await db.query('select last_value, is_called from messages_id_seq')
    const before = rows[0].is_called ? Number(rows[0].last_value) : 0
    await writeMessages(db, stage, n + 1, to)
    await countMessages(db, before + 1, before + (to - n))
    await writeTraces(db, before + 1, before + (to - n), {
      events: to > want - EVENTS_KEPT,
      audit: to > want - AUDIT_KEPT,
    })
    say(`${to} messages of the past are in`)
  }
  await db.query(`set maintenance_work_mem = '1GB'`)
  for (const again of restore) await again()
  await db.query('set session_replication_role = origin')
  await db.query('analyze messages')
  await noteSegments(db)
  await settle(db, stage)
  await db.query('vacuum (analyze) messages, search_words, events, audit_blocks, chats, chat_members')
  await db.query('checkpoint')
  return (performance.now() - began) / 1000
}
