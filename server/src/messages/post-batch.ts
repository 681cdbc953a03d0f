/**
 * A hot path: waiting plain messages are written together by one prepared statement, which checks rights and quota,
 * takes the ids, and writes messages, the keys of their requests, one audit row for all of them, and events. A message that it does not accept goes the plain way of
 * `postMessage`, which gives the exact refusal.
 */
import { createMessage } from '@parley/contract'
import { otherSide } from '../chats/personal.js'
import type { Actor } from '../platform/actor.js'
import { isBot } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { plainArray } from '../platform/db/array.js'
import { microBatch } from '../platform/db/batch.js'
import { type AutocommitPool, writeRows } from '../platform/db/index.js'
import { LOCKS } from '../platform/db/locks.js'
import type { Written } from '../platform/http/idempotency.js'
import {
  insertKeysSql,
  isKeyStored,
  isNewKeySql,
  type RequestKey,
} from '../platform/http/idempotency-queries.js'
import { PUBLIC_BOT_SQL } from '../users/queries.js'
import type { ChatFacts } from './chat-fact-queries.js'
import type { Facts } from './chat-facts.js'
import { CONTENT_BYTES } from './check-content.js'
import { createKnownWords } from './known-words.js'
import { insertMentionsSql } from './mention-queries.js'
import { calledNames, presentFor } from './mentions.js'
import type { NewMessage } from './post.js'
import { WINDOW_MS } from './quota.js'
import { type Entity, entityOf } from './target.js'

const BATCH_AT_MOST = 64
const { id: operation, returns } = createMessage

interface Item {
  actor: Actor
  chat: ChatFacts
  entity: Entity
  content: string
  link_preview: boolean
  /** Where the request came with an Idempotency-Key. */
  key: RequestKey | null
  /** Whether the text may have words that no message had before. */
  news: boolean
}

/** What only some messages need: a part costs every batch, whether or not it finds anything to do. */
interface Parts {
  keys: boolean
  words: boolean
  names: boolean
  threads: boolean
}

const INSERT_KEYS = insertKeysSql(
  { id: operation, status: returns.status },
  'select * from numbered where key is not null',
  '$12',
)
const INSERT_WORDS = `insert into search_words (word)
  select distinct said from numbered, unnest(search_words_in(content, null)) as said
  where news and (select true from search_words known where known.word = said and known.leaving_at is null limit 1) is null`
/** Who is present comes last, as it belongs to this part alone. */
const INSERT_MENTIONS = insertMentionsSql(
  "select id, chat_id, user_id, names from numbered where names <> ''",
  '$22',
)
const MOVE_THREADS = `update threads t set updated_at = $12
  from (select distinct chat_id from numbered where kind = 'thread') x where t.chat_id = x.chat_id`

/**
 * Quota rows are held first, in order, then chat rows, in order, then ids are drawn: so two batches never wait for
 * each other, and within a chat ids and events follow the commits. New words are added here, so the trigger that adds them
 * to every other message is told to skip, until this statement commits. Each word is looked up by itself: the statement is
 * planned while the list of words is short, and a join would read all of it for every batch once it is long.
 * Events get their positions here, after those of earlier events. The parts of a statement that nothing refers to run from
 * the last to the first, so that the lock for this is taken last, when nothing is left to wait for. Just before, keys are
 * stored: where another process stored one of them since this statement began, it is waited for, and the statement fails.
 */
export const postStatement = ({ keys, words, names, threads }: Parts) => `
with words as materialized (
  select set_config('parley.words', 'told', true) as told
), item as materialized (
  select * from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::boolean[],
    $8::text[], $9::text[], $10::bigint[], $11::boolean[], $14::text[], $15::timestamptz[], $16::boolean[], $17::text[],
    $19::bigint[], $20::text[], $21::bytea[])
    as i (n, chat_id, root_chat_id, user_id, content, payload, audited, ip_address, user_agent, other_id, by_bot,
      kind, chat_created_at, news, names, token_id, key, body_hash)
  where (select told from words) = 'told'
), fit as materialized (
  select i.* from item i
  join chats c on c.id = i.chat_id and c.kind = i.kind and c.created_at = i.chat_created_at and c.archived_at is null
  join chat_members me on me.chat_id = i.chat_id and me.user_id = i.user_id
  where (c.kind <> 'channel' or me.role <> 'member') and not exists (select from dlp_rules where enabled)
    and (i.key is null or ${isNewKeySql(operation)})
    and (i.other_id is null or exists (
      select from users o where o.id = i.other_id and not o.suspended and o.deleted_at is null
        and (not o.bot or i.by_bot or c.owner_id = o.id
          or exists (select from bots b where b.user_id = o.id and ${PUBLIC_BOT_SQL}))))
), quota as (
  insert into message_quotas as q (user_id, chat_id, sent)
  select user_id, root_chat_id, count(*) from fit group by user_id, root_chat_id order by user_id, root_chat_id
  on conflict (user_id, chat_id) do update set sent = q.sent + excluded.sent, pause_s = null, paused_until = null
    where (q.paused_until is null or q.paused_until <= $12)
      and (q.sent + excluded.sent <= $18::int or not exists (
        select from messages m where m.user_id = q.user_id and m.root_chat_id = q.chat_id
          and m.quota_number = q.sent + excluded.sent - $18::int and m.created_at > $13))
  returning user_id, chat_id, sent
), taken as materialized (
  select f.*, q.sent - row_number() over (partition by f.user_id, f.root_chat_id order by f.n desc) + 1 as quota_number
  from fit f join quota q on q.user_id = f.user_id and q.chat_id = f.root_chat_id
), locked as materialized (
  select c.id, c.messages_count from chats c where c.id in (select chat_id from taken) order by c.id for no key update
), numbered as materialized (
  select t.*, nextval('messages_id_seq') as id
  from (select t.*, l.messages_count + row_number() over (partition by t.chat_id order by t.n) as number
    from taken t join locked l on l.id = t.chat_id order by t.n) t
${keys ? `), keyed as (${INSERT_KEYS} returning message_id` : ''}
), turn as materialized (
  select place_events(${LOCKS.place_events}, false)
  from (select from numbered limit 1) as first ${keys ? 'cross join (select count(*) from keyed) as stored' : ''}
), told as (
  insert into events (type, chat_id, actor_id, payload, created_at, position)
  select 'message.created', chat_id, user_id,
    ('{"message_id":' || id || ',"content":' || to_json(content)::text || payload)::jsonb, $12,
    nextval('events_position_seq')
  from (select numbered.* from turn cross join numbered order by numbered.id) as ordered
), written as (
  insert into messages (id, chat_id, root_chat_id, user_id, content, quota_number, number, created_at, changed_at)
  select id, chat_id, root_chat_id, user_id, content, quota_number, number, $12, $12 from numbered
${words ? `), learned as (${INSERT_WORDS}` : ''}
), moved as (
  update chats c set last_message_id = x.id, last_message_at = $12, version = c.version + 1, appends = c.appends + 1,
    messages_count = x.number
  from (select chat_id, max(id) as id, max(number) as number from numbered group by chat_id) x where c.id = x.chat_id
), pointed as (
  update chat_members m set read_message_id = x.id, read_number = x.number
  from (select chat_id, user_id, max(id) as id, max(number) as number from numbered group by chat_id, user_id) x
  where m.chat_id = x.chat_id and m.user_id = x.user_id
${names ? `), named as (${INSERT_MENTIONS}` : ''}
${threads ? `), active as (${MOVE_THREADS}` : ''}
), logged as (
  insert into audit_waiting (created_at, sequences, message_ids, actor_ids, ip_addresses, user_agents)
  select $12, array_agg(nextval('audit_events_sequence_seq') order by id), array_agg(id order by id),
    array_agg(user_id order by id), array_agg(ip_address order by id), array_agg(user_agent order by id)
  from numbered where audited having count(*) > 0
)
select n, id from numbered`

const statements = new Map<string, string>()

/** The same text for the same parts, by which the database knows its plan. */
function statementOf(parts: Parts): string {
  const name = Object.values(parts).join()
  const text = statements.get(name) ?? postStatement(parts)
  statements.set(name, text)
  return text
}

/** What the event says beside id and text, as the rest of a JSON object: what `expandEvent` does not add. */
function restOfPayload({ chat, entity, link_preview, key }: Item): string {
  const { kind, root_chat_id, thread_id } = chat
  const { thread_message_id: message_id, thread_message_chat_id: message_chat_id } = chat
  const rest = {
    ...(kind === 'thread'
      ? { root_chat_id, thread_id, ...entity, thread: { message_id, message_chat_id } }
      : {}),
    ...(kind === 'personal' ? { ...entity, personal: true } : {}),
    ...(link_preview ? { link_preview } : {}),
    ...(key ? { client_key: key.key } : {}),
  }
  const text = JSON.stringify(rest).slice(1)
  return text === '}' ? text : `,${text}`
}

async function write(ctx: Context, pool: AutocommitPool, items: Item[]): Promise<(string | null)[]> {
  const time = now(ctx.clock)
  const at = time.toISOString()
  const names = items.map(({ content }) => calledNames(content))
  const column = <T>(pick: (item: Item) => T) => items.map(pick)
  const parts = {
    keys: items.some(({ key }) => key !== null),
    words: items.some(({ news }) => news),
    names: names.some((name) => name !== ''),
    threads: items.some(({ chat }) => chat.kind === 'thread'),
  }
  const written = await writeRows<{ n: number; id: number }>(pool, statementOf(parts), [
    plainArray(items.map((_, index) => index)),
    plainArray(column(({ chat }) => chat.id)),
    plainArray(column(({ chat }) => chat.root_chat_id)),
    plainArray(column(({ actor }) => actor.user_id)),
    column(({ content }) => content),
    column(restOfPayload),
    plainArray(column(({ actor }) => actor.plan === 'corporation')),
    column(({ actor }) => actor.ip_address),
    column(({ actor }) => actor.user_agent),
    plainArray(
      column(({ chat, actor }) => (chat.kind === 'personal' ? otherSide(chat, actor.user_id) : null)),
    ),
    plainArray(column(({ actor }) => isBot(actor))),
    time,
    new Date(time.getTime() - WINDOW_MS),
    column(({ chat }) => chat.kind),
    column(({ chat }) => chat.created_at),
    plainArray(column(({ news }) => news)),
    names,
    ctx.config.daily_messages,
    plainArray(column(({ key }) => key?.token_id ?? null)),
    column(({ key }) => key?.key ?? null),
    column(({ key }) => key?.body_hash ?? null),
    ...(parts.names ? [presentFor(ctx, names)] : []),
  ])
  const answers: (string | null)[] = items.map(() => null)
  for (const { n, id } of written) answers[n] = answer(ctx, items[n] as Item, id, at)
  return answers
}

/** The same object that a read gives, built once and by hand. */
function answer(
  ctx: Context,
  { actor, chat, entity, content }: Pick<Item, 'actor' | 'chat' | 'entity' | 'content'>,
  id: number,
  at: string,
): string {
  const display = isBot(actor) ? '"display_avatar_url":null,"display_name":null,' : ''
  return `{"data":{"id":${id},"entity_type":"${entity.entity_type}","entity_id":${entity.entity_id},"chat_id":${chat.id},"root_chat_id":${chat.root_chat_id},"content":${JSON.stringify(content)},"user_id":${actor.user_id},"created_at":"${at}","url":${JSON.stringify(`${ctx.config.app_url}/chats/${chat.id}?message=${id}`)},"files":[],"voice_content":null,"buttons":null,"thread":null,"forwarding":null,"parent_message_id":null,${display}"changed_at":"${at}","deleted_at":null,"system":false}}`
}

/** The database said no and so wrote nothing. Where the connection broke instead, all of it may have committed. */
function isRefusal(error: unknown): boolean {
  return (error as { severity?: string }).severity === 'ERROR'
}

/** One row that the database refuses must not take the others with it. */
async function writeEach(ctx: Context, pool: AutocommitPool, items: Item[]): Promise<(string | null)[]> {
  const answers: (string | null)[] = []
  for (const item of items) {
    const [text] = await write(ctx, pool, [item]).catch((error) => {
      if (isRefusal(error)) return [null]
      throw error
    })
    answers.push(text ?? null)
  }
  return answers
}

/** All at once; where that fails one by one, unless it can be repeated. */
async function writeAll(ctx: Context, pool: AutocommitPool, items: Item[]): Promise<(string | null)[]> {
  try {
    // A key that another process stored meanwhile is seen by the second try, which leaves its message out.
    return await write(ctx, pool, items).catch((error) => {
      if (isKeyStored(error)) return write(ctx, pool, items)
      throw error
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    ctx.log.warn({ err: error, messages: items.length }, 'batch of messages failed; retrying them one by one')
    return writeEach(ctx, pool, items)
  }
}

/** The first of those with the same key; the others wait until it is written, and are then given its answer. */
function isFirstOfKey({ key }: Item, n: number, items: Item[]): boolean {
  if (key === null) return true
  const isSame = ({ key: other }: Item) => other?.key === key.key && other.token_id === key.token_id
  return items.findIndex(isSame) === n
}

/** Text and nothing else, which calls nobody into a thread. */
function isPlain(actor: Actor, input: NewMessage, chat: ChatFacts): boolean {
  const {
    content = '',
    files = [],
    buttons = [],
    parent_message_id,
    display_name,
    display_avatar_url,
    draft_id,
  } = input
  if (files.length > 0 || (isBot(actor) && buttons.length > 0)) return false
  if (typeof (parent_message_id ?? display_name ?? display_avatar_url ?? draft_id ?? null) !== 'object')
    return false
  if (content.trim() === '' || Buffer.byteLength(content) > CONTENT_BYTES) return false
  return chat.kind === 'thread' ? !content.includes('@') : !content.includes('<@')
}

export interface PostBatch {
  /** The answer as JSON text, or null where the message has to go the plain way. */
  post(actor: Actor, input: NewMessage, key?: RequestKey | null): Promise<string | null>
  /** The answer of a message that the same request wrote before. */
  repeat(actor: Actor, input: NewMessage, written: Written): Promise<string | null>
}

export function createPostBatch(ctx: Context, pool: AutocommitPool, facts: Facts): PostBatch {
  const words = createKnownWords(ctx.clock)
  ctx.resets.addKept(() => words.forget())
  const batched = microBatch<Item, string | null>(
    async (items) => {
      const firsts = items.filter(isFirstOfKey)
      const written = await writeAll(ctx, pool, firsts)
      if (written.some((text) => text !== null)) ctx.bell.ring('events')
      const answers = new Map(firsts.map((item, n) => [item, written[n] ?? null]))
      return items.map((item) => answers.get(item) ?? null)
    },
    { max: BATCH_AT_MOST },
  )
  return {
    async post(actor, input, key = null) {
      const { entity_type = 'discussion', entity_id, content = '', link_preview = false } = input
      const chat = await facts.ofEntity({ entity_type, entity_id }, actor.user_id)
      if (!chat || !isPlain(actor, input, chat)) return null
      const entity = entityOf(chat, actor.user_id)
      const news = words.isNews(content)
      const answer = await batched({ actor, chat, entity, content, link_preview, key, news })
      if (answer === null) facts.forget({ entity_type, entity_id }, actor.user_id)
      else if (news) words.learn(content)
      return answer
    },
    async repeat(actor, { entity_type = 'discussion', entity_id, content = '' }, { message_id, created_at }) {
      const chat = await facts.ofEntity({ entity_type, entity_id }, actor.user_id)
      if (!chat) return null
      const entity = entityOf(chat, actor.user_id)
      return answer(ctx, { actor, chat, entity, content }, message_id, created_at.toISOString())
    },
  }
}
