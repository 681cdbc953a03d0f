/**
 * A hot path: waiting plain messages are written together by one prepared statement (`post-batch-sql.ts`). A message that it does not
 * accept goes the plain way of `postMessage`, which gives the exact refusal.
 */
import { otherSide } from '../chats/personal.js'
import type { Actor } from '../platform/actor.js'
import { isBot } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { plainArray, textArray } from '../platform/db/array.js'
import { microBatch } from '../platform/db/batch.js'
import { type AutocommitPool, writeRows } from '../platform/db/index.js'
import type { Written } from '../platform/http/idempotency.js'
import { isKeyStored, type RequestKey } from '../platform/http/idempotency-queries.js'
import type { ChatFacts } from './chat-fact-queries.js'
import type { Facts } from './chat-facts.js'
import { CONTENT_BYTES } from './check-content.js'
import { createKnownWords } from './known-words.js'
import { calledNames, presentFor } from './mentions.js'
import type { NewMessage } from './post.js'
import { type Given, isOvertaken, postStatement } from './post-batch-sql.js'
import { WINDOW_MS } from './quota.js'
import { type Entity, entityOf } from './target.js'

const BATCH_AT_MOST = 64

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

/** Of items that have something in common: the how many-th of them each is, and how many there are. */
function rank<K>(items: readonly Item[], keyOf: (item: Item) => K) {
  const counts = new Map<K, number>()
  const keys = items.map(keyOf)
  const ranks = keys.map((key) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  })
  const left = keys.map((key, index) => (counts.get(key) as number) - (ranks[index] as number))
  return { ranks, left, groups: counts.size }
}

/** The parameters of the statement; each is made only where it has it. */
function valuesOf(ctx: Context, items: readonly Item[], time: Date, names: readonly string[]) {
  const column = <T>(pick: (item: Item) => T) => items.map(pick)
  const inChat = rank(items, ({ chat }) => chat.id)
  const byAuthor = rank(items, ({ chat, actor }) => `${actor.user_id} ${chat.id}`)
  const forQuota = rank(items, ({ chat, actor }) => `${actor.user_id} ${chat.root_chat_id}`)
  const isLast = (left: number) => left === 0
  const values: Record<Given, () => unknown> = {
    now: () => time,
    window_start: () => new Date(time.getTime() - WINDOW_MS),
    daily_messages: () => ctx.config.daily_messages,
    pairs: () => forQuota.groups,
    present: () => presentFor(ctx, names),
    numbers: () => plainArray(items.map((_, index) => index + 1)),
    chat_ids: () => plainArray(column(({ chat }) => chat.id)),
    root_chat_ids: () => plainArray(column(({ chat }) => chat.root_chat_id)),
    kinds: () => textArray(column(({ chat }) => chat.kind)),
    chat_times: () => textArray(column(({ chat }) => chat.created_at)),
    user_ids: () => plainArray(column(({ actor }) => actor.user_id)),
    by_bots: () => plainArray(column(({ actor }) => isBot(actor))),
    other_ids: () =>
      plainArray(
        column(({ chat, actor }) => (chat.kind === 'personal' ? otherSide(chat, actor.user_id) : null)),
      ),
    places: () => plainArray(inChat.ranks),
    last_of_chats: () => plainArray(inChat.left.map(isLast)),
    last_of_authors: () => plainArray(byAuthor.left.map(isLast)),
    counted: () => plainArray(forQuota.ranks.map((rank, index) => rank + (forQuota.left[index] as number))),
    counted_after: () => plainArray(forQuota.left),
    contents: () => textArray(column(({ content }) => content)),
    payloads: () => textArray(column(restOfPayload)),
    news: () => plainArray(column(({ news }) => news)),
    names: () => textArray(names),
    audited: () => plainArray(column(({ actor }) => actor.plan === 'corporation')),
    ip_addresses: () => textArray(column(({ actor }) => actor.ip_address)),
    user_agents: () => textArray(column(({ actor }) => actor.user_agent)),
    token_ids: () => plainArray(column(({ key }) => key?.token_id ?? null)),
    keys: () => textArray(column(({ key }) => key?.key ?? null)),
    body_hashes: () => column(({ key }) => key?.body_hash ?? null),
  }
  return values
}

/** The answers of those that were written; null for each that does not fit, whose neighbours are then written without it. */
async function write(ctx: Context, pool: AutocommitPool, items: readonly Item[]): Promise<(string | null)[]> {
  const time = now(ctx.clock)
  const names = items.map(({ content }) => calledNames(content))
  const { text, given } = postStatement({
    keys: items.some(({ key }) => key !== null),
    words: items.some(({ news }) => news),
    names: names.some((name) => name !== ''),
    threads: items.some(({ chat }) => chat.kind === 'thread'),
    personal: items.some(({ chat }) => chat.kind === 'personal'),
  })
  const values = valuesOf(ctx, items, time, names)
  const fit = await writeRows<{ n: number; id: number | null }>(
    pool,
    text,
    given.map((name) => values[name]()),
  )
  const answers: (string | null)[] = items.map(() => null)
  if (fit.length === items.length) {
    const at = time.toISOString()
    for (const { n, id } of fit) if (id !== null) answers[n - 1] = answer(ctx, items[n - 1] as Item, id, at)
  } else if (fit.length > 0) {
    const places = fit.map(({ n }) => n - 1)
    const written = await write(
      ctx,
      pool,
      places.map((place) => items[place] as Item),
    )
    for (const [index, place] of places.entries()) answers[place] = written[index] ?? null
  }
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
async function writeEach(
  ctx: Context,
  pool: AutocommitPool,
  items: readonly Item[],
): Promise<(string | null)[]> {
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
    // A key that another process stored meanwhile, or a quota that it took, is seen by the second try, which leaves the message out.
    return await write(ctx, pool, items).catch((error) => {
      if (isKeyStored(error) || isOvertaken(error)) return write(ctx, pool, items)
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
