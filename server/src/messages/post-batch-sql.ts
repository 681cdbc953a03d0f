/**
 * A hot path: the statement that writes waiting plain messages together, which checks rights and quota, takes the ids, and writes
 * messages, the keys of their requests, one audit row for all of them, and events.
 */
import { createMessage } from '@parley/contract'
import { LOCKS } from '../platform/db/locks.js'
import { insertKeysSql, isNewKeySql } from '../platform/http/idempotency-queries.js'
import { PUBLIC_BOT_SQL } from '../users/queries.js'
import { insertMentionsSql } from './mention-queries.js'

const { id: operation, returns } = createMessage

/** What only some messages need: a part costs every batch, whether or not it finds anything to do. */
export interface Parts {
  keys: boolean
  words: boolean
  names: boolean
  threads: boolean
  personal: boolean
}

/** What a statement may be given: of the batch, and of each message as arrays in one order. */
const TYPES = {
  now: 'timestamptz',
  window_start: 'timestamptz',
  daily_messages: 'int',
  /** How many pairs of sender and counted chat there are. */
  pairs: 'int',
  /** Who is present, for `@here`. */
  present: 'bigint[]',
  /** From 1 on. */
  numbers: 'int[]',
  chat_ids: 'bigint[]',
  root_chat_ids: 'bigint[]',
  kinds: 'text[]',
  chat_times: 'timestamptz[]',
  user_ids: 'bigint[]',
  by_bots: 'boolean[]',
  other_ids: 'bigint[]',
  /** The how many-th of its chat. */
  places: 'int[]',
  last_of_chats: 'boolean[]',
  /** The last that its author writes in its chat. */
  last_of_authors: 'boolean[]',
  /** How many messages of the batch count for the same quota, and how many of them come after this one. */
  counted: 'int[]',
  counted_after: 'int[]',
  contents: 'text[]',
  payloads: 'text[]',
  news: 'boolean[]',
  names: 'text[]',
  audited: 'boolean[]',
  ip_addresses: 'text[]',
  user_agents: 'text[]',
  token_ids: 'bigint[]',
  keys: 'text[]',
  body_hashes: 'bytea[]',
} as const

export type Given = keyof typeof TYPES

export interface PostStatement {
  text: string
  /** What its parameters are, in their order. */
  given: Given[]
}

/**
 * Makes the statement. All of its messages are written or none: where one does not fit, the numbers of those that do come back
 * without ids, and the caller asks again for these alone. So places in a chat are known before, and rows carry little from step
 * to step; the rest is looked up in the arrays where it is written, because each column costs every step.
 *
 * Quota rows are held first, in order, then chat rows, in order, then ids are drawn: so two batches never wait for
 * each other, and within a chat ids and events follow the commits. A quota that was filled between reading and holding it fails the
 * statement (`isOvertaken`). New words are added here, so the trigger that adds them
 * to every other message is told to skip, until this statement commits. Each word is looked up by itself: the statement is
 * planned while the list of words is short, and a join would read all of it for every batch once it is long.
 * For the same reason rows are looked up one by one (limit 1), and quotas are counted by `on conflict`, which goes by the key alone:
 * a plan that is made while a table is empty would read all of it as soon as one row.
 * Events get their positions here, after those of earlier events. The parts of a statement that nothing refers to run from
 * the last to the first, so that the lock for this is taken last, when nothing is left to wait for. Just before, keys are
 * stored: where another process stored one of them since this statement began, it is waited for, and the statement fails.
 */
function makePostStatement({ keys, words, names, threads, personal }: Parts): PostStatement {
  const given: Given[] = []
  const all = (name: Given) => {
    const place = given.includes(name) ? given.indexOf(name) + 1 : given.push(name)
    return `$${place}::${TYPES[name]}`
  }
  /** Of the message with a number. */
  const its = (name: Given, number = 'n') => `(${all(name)})[${number}]`
  /** Whether a quota `q` has room for more, as of now. */
  const hasRoom = (more: string) => `(q.paused_until is null or q.paused_until <= ${all('now')})
    and (q.sent + ${more} <= ${all('daily_messages')} or not exists (
      select from messages m where m.user_id = q.user_id and m.root_chat_id = q.chat_id
        and m.quota_number = q.sent + ${more} - ${all('daily_messages')} and m.created_at > ${all('window_start')}))`
  const text = `
with fit as materialized (
  select n, c.id as chat_id, me.user_id
  from unnest(${all('numbers')}) as n
  cross join lateral (
    select id, kind, owner_id from chats
    where id = ${its('chat_ids')} and kind = ${its('kinds')} and created_at = ${its('chat_times')} and archived_at is null limit 1
  ) c
  cross join lateral (
    select role, user_id from chat_members where chat_id = ${its('chat_ids')} and user_id = ${its('user_ids')} limit 1
  ) me
  left join lateral (
    select user_id, chat_id, sent, paused_until from message_quotas
    where user_id = ${its('user_ids')} and chat_id = ${its('root_chat_ids')} limit 1
  ) q on true
  where (c.kind <> 'channel' or me.role <> 'member') and not exists (select from dlp_rules where enabled)
    and ${its('counted')} <= ${all('daily_messages')} and (q.sent is null or ${hasRoom(its('counted'))})
${keys ? `and (${its('keys')} is null or ${isNewKeySql(operation, its('token_ids'), its('keys'))})` : ''}
${
  personal
    ? `and (${its('other_ids')} is null or exists (
      select from users o where o.id = ${its('other_ids')} and not o.suspended and o.deleted_at is null
        and (not o.bot or ${its('by_bots')} or c.owner_id = o.id
          or exists (select from bots b where b.user_id = o.id and ${PUBLIC_BOT_SQL}))))`
    : ''
}
), all_fit as materialized (
  select set_config('parley.words', 'told', true) = 'told' as fits from fit having count(*) = cardinality(${all('numbers')})
), quota as (
  insert into message_quotas as q (user_id, chat_id, sent)
  select user_id, ${its('root_chat_ids')} as chat_id, ${its('counted')} as counted from fit
  where (select fits from all_fit) and ${its('counted_after')} = 0 order by user_id, chat_id
  on conflict (user_id, chat_id) do update set sent = q.sent + excluded.sent, pause_s = null, paused_until = null
    where ${hasRoom('excluded.sent')}
  returning user_id, chat_id, sent
), all_counted as materialized (
  select 1 / (count(*) = case when (select fits from all_fit) then ${all('pairs')} else 0 end)::int as sure from quota
), locked as materialized (
  select c.id, c.messages_count from chats c
  where c.id = any(${all('chat_ids')}) and (select fits from all_fit) and (select sure from all_counted) = 1
  order by c.id for no key update
), numbered as materialized (
  select f.*, nextval('messages_id_seq') as id
  from (
    select f.n, f.chat_id, f.user_id, l.messages_count + ${its('places', 'f.n')} as number,
      q.sent - ${its('counted_after', 'f.n')} as quota_number
    from fit f join locked l on l.id = f.chat_id
      join quota q on q.user_id = f.user_id and q.chat_id = ${its('root_chat_ids', 'f.n')}
    order by f.n
  ) f
${
  keys
    ? `), keyed as (${insertKeysSql(
        { id: operation, status: returns.status },
        `select ${its('token_ids')} as token_id, ${its('keys')} as key, ${its('body_hashes')} as body_hash, id from numbered
         where ${its('keys')} is not null`,
        all('now'),
      )} returning message_id`
    : ''
}
), turn as materialized (
  select place_events(${LOCKS.place_events}, false)
  from (select from numbered limit 1) as first ${keys ? 'cross join (select count(*) from keyed) as stored' : ''}
), told as (
  insert into events (type, chat_id, actor_id, payload, created_at, position)
  select 'message.created', chat_id, user_id,
    ('{"message_id":' || id || ',"content":' || to_json(${its('contents')})::text || ${its('payloads')})::jsonb, ${all('now')},
    nextval('events_position_seq')
  from (select numbered.* from turn cross join numbered order by numbered.id) as ordered
), written as (
  insert into messages (id, chat_id, root_chat_id, user_id, content, quota_number, number, created_at, changed_at)
  select id, chat_id, ${its('root_chat_ids')}, user_id, ${its('contents')}, quota_number, number, ${all('now')}, ${all('now')}
  from numbered
${
  words
    ? `), learned as (
  insert into search_words (word)
  select distinct said from numbered, unnest(search_words_in(${its('contents')}, null)) as said
  where ${its('news')}
    and (select true from search_words known where known.word = said and known.leaving_at is null limit 1) is null`
    : ''
}
), moved as (
  update chats c set last_message_id = x.id, last_message_at = ${all('now')}, version = c.version + 1, appends = c.appends + 1,
    messages_count = x.number
  from numbered x where ${its('last_of_chats', 'x.n')} and c.id = x.chat_id
), pointed as (
  update chat_members m set read_message_id = x.id, read_number = x.number
  from numbered x where ${its('last_of_authors', 'x.n')} and m.chat_id = x.chat_id and m.user_id = x.user_id
${
  names
    ? `), named as (${insertMentionsSql(
        `select id, chat_id, user_id, ${its('names')} as names from numbered where ${its('names')} <> ''`,
        all('present'),
      )}`
    : ''
}
${
  threads
    ? `), active as (
  update threads t set updated_at = ${all('now')}
  from (select distinct chat_id from numbered where ${its('kinds')} = 'thread') x where t.chat_id = x.chat_id`
    : ''
}
), logged as (
  insert into audit_waiting (created_at, sequences, message_ids, actor_ids, ip_addresses, user_agents)
  select ${all('now')}, array_agg(nextval('audit_events_sequence_seq') order by id), array_agg(id order by id),
    array_agg(user_id order by id), array_agg(${its('ip_addresses')} order by id), array_agg(${its('user_agents')} order by id)
  from numbered where ${its('audited')} having count(*) > 0
)
select f.n, x.id from fit f left join numbered x on x.n = f.n`
  return { text, given }
}

const statements = new Map<string, PostStatement>()

/** The same text for the same parts, by which the database knows its plan. */
export function postStatement(parts: Parts): PostStatement {
  const name = `${parts.keys} ${parts.words} ${parts.names} ${parts.threads} ${parts.personal}`
  const statement = statements.get(name) ?? makePostStatement(parts)
  statements.set(name, statement)
  return statement
}

const DIVISION_BY_ZERO = '22012'

/** Whether the statement wrote nothing because a quota was filled while it ran. */
export function isOvertaken(error: unknown): boolean {
  return (error as { code?: string }).code === DIVISION_BY_ZERO
}
