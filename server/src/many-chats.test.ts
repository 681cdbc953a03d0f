import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  getStart,
  listMentions,
  listTasks,
  listThreadInbox,
  listThreads,
  type PaginationMeta,
} from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertBulk } from './testing/bulk.js'
import { rowsReadBy } from './testing/rows-read.js'
import { type World, world } from './testing/world.js'

/** Somebody is in most chats, somebody in few. */
const CHATS = 900
const FIRST = 1_000_000
/** Threads and tasks of chats that neither is in; they fill more than what is looked through of everybody's. */
const FOREIGN = 4_500

const time = (seconds: RawBuilder<unknown>) =>
  sql`'2026-01-01'::timestamptz + ${seconds} * interval '1 second'`
/** In another order than the ids of the chats, and by threes at the same second. */
const mixed = sql`(n * 7919 % ${sql.lit(CHATS)} / 3)`
const chat = sql`${sql.lit(FIRST)} + n`
const thread = sql`${sql.lit(2 * FIRST)} + n`
const eachChat = sql`generate_series(1, ${sql.lit(CHATS)}) n`

/** The chats, with a thread, a task, and a message that names everybody in each; of every fifth chat, without the many. */
async function fill({ ctx, alice, bob, mia }: World) {
  const rooms = (ids: RawBuilder<unknown>, kind: string, by = eachChat) => sql`
    insert into chats (id, kind, name, owner_id, meet_slug, created_at, last_message_at, messages_count)
    overriding system value
    select ${ids}, ${kind}, 'Chat', ${mia.id}::bigint, 'x' || n, ${time(sql`n`)}, ${time(mixed)}, 1 from ${by}`
  const join = (ids: RawBuilder<unknown>, userId: number, place: string, which: RawBuilder<unknown>) => sql`
    insert into chat_members (chat_id, user_id, role, joined_at, place)
    select ${ids}, ${userId}::bigint, 'member', now(), ${place} from ${eachChat} where ${which}`
  const many = sql`n % 5 <> 0`
  const few = sql`n % 25 = 0`
  await insertBulk(
    ctx,
    rooms(chat, 'conversation'),
    rooms(thread, 'thread'),
    join(chat, alice.id, 'group', many),
    join(chat, bob.id, 'group', few),
    join(thread, alice.id, 'thread', many),
    join(thread, bob.id, 'thread', few),
    sql`insert into messages (id, chat_id, root_chat_id, user_id, content, created_at, changed_at, number, file_names)
      overriding system value select ${thread}, ${chat}, ${chat}, ${mia.id}::bigint, 'x', now(), now(), 1, '' from ${eachChat}`,
    sql`insert into mentions (message_id, chat_id) select id, chat_id from messages where id > ${sql.lit(2 * FIRST)}`,
    sql`insert into threads (id, chat_id, message_id, message_chat_id, creator_id, created_at, updated_at)
      overriding system value select ${chat}, ${thread}, ${thread}, ${chat}, ${mia.id}::bigint, now(), ${time(mixed)} from ${eachChat}`,
    sql`insert into tasks (kind, content, priority, user_id, chat_id, created_at)
      select 'reminder', 'x', 1, ${mia.id}::bigint, ${chat}, now() from ${eachChat} order by n * 7919 % ${sql.lit(CHATS)}`,
  )
  await ctx.pool.query('vacuum analyze')
}

/** Rows of chats of others, newer than all. */
async function fillBefore({ ctx, mia }: World) {
  const others = sql`generate_series(1, ${sql.lit(FOREIGN)}) n`
  const far = sql`${sql.lit(3 * FIRST)} + n`
  await insertBulk(
    ctx,
    sql`insert into threads (chat_id, message_id, message_chat_id, creator_id, created_at, updated_at)
      select ${far}, ${far}, ${far}, ${mia.id}::bigint, now(), now() + n * interval '1 second' from ${others}`,
    sql`insert into mentions (message_id, chat_id) select ${far}, ${far} from ${others}`,
    sql`insert into tasks (kind, content, priority, user_id, chat_id, created_at)
      select 'reminder', 'x', 1, ${mia.id}::bigint, ${far}, now() from ${others}`,
  )
  await ctx.pool.query('vacuum analyze')
}

interface Listed {
  data: { id?: number; thread?: { id: number }; message?: { id: number } }[]
  meta: { paginate: PaginationMeta['paginate'] }
}
type List = (query: { cursor?: string; limit: number }) => Promise<Listed>

const idsOf = ({ data }: Listed) => data.map((one) => one.thread?.id ?? one.message?.id ?? one.id)

/** Some pages forward and one back; where `whole`, with large pages to the last. */
async function checkPages(list: List, expected: number[], { whole = false } = {}) {
  const limit = 7
  let page = await list({ limit })
  const seen = idsOf(page)
  for (let n = 0; n < 2; n += 1) {
    page = await list({ limit, cursor: page.meta.paginate.next_page })
    seen.push(...idsOf(page))
  }
  assert.deepEqual(seen, expected.slice(0, 3 * limit))
  page = await list({ limit, cursor: page.meta.paginate.prev_page })
  assert.deepEqual(idsOf(page), expected.slice(limit, 2 * limit), 'back')
  if (!whole) return
  const all: unknown[] = []
  for (let cursor: string | undefined; ; cursor = page.meta.paginate.next_page) {
    page = await list({ limit: 50, ...(cursor ? { cursor } : {}) })
    all.push(...idsOf(page))
    if (!page.meta.paginate.has_next) break
  }
  assert.deepEqual(all, expected)
}

async function checkLists(w: World, userId: number, whole = false) {
  const person = await w.as(userId, { session: true })
  const own = sql`select chat_id from chat_members where user_id = ${userId}`
  const ids = async (query: RawBuilder<{ id: number }>) =>
    (await query.execute(w.ctx.db)).rows.map(({ id }) => id)
  const threads = await ids(sql`
    select id from threads where message_chat_id in (${own}) or chat_id in (${own}) order by updated_at desc, id desc`)
  assert.ok(threads.length > 30)
  await checkPages((query) => person.call(listThreads, { query }) as Promise<Listed>, threads, {
    whole: true,
  })
  const followed = await ids(sql`
    select id from threads where chat_id in (${own}) order by updated_at desc, id desc`)
  await checkPages((query) => person.call(listThreadInbox, { query }) as unknown as Promise<Listed>, followed)
  const tasks = await ids(sql`select id from tasks where chat_id in (${own}) order by id desc`)
  await checkPages((query) => person.call(listTasks, { query }) as Promise<Listed>, tasks, { whole })
  const mentions = await ids(
    sql`select message_id as id from mentions where chat_id in (${own}) order by id desc`,
  )
  await checkPages((query) => person.call(listMentions, { query }) as unknown as Promise<Listed>, mentions)
  const chats = await ids(sql`
    select id from chats where id in (${own}) and kind <> 'thread' and archived_at is null
      order by last_message_at desc, id desc limit 50`)
  const { data } = await person.call(getStart, {})
  assert.deepEqual(data.chats.map(({ id }) => id).toSorted(), chats.toSorted())
}

test('lists of somebody in very many chats and threads are the same as of somebody in few', async (t) => {
  const w = await world(t)
  await fill(w)
  const { alice, bob } = w
  for (const { id } of [alice, bob]) await checkLists(w, id)
  await fillBefore(w)
  await checkLists(w, bob.id)
  await checkLists(w, alice.id, true)
})

test('a page of somebody in very many chats and threads is read from the newest rows', async (t: TestContext) => {
  const w = await world(t)
  await fill(w)
  const person = await w.as(w.alice.id, { session: true })
  const lists = {
    threads: () => person.call(listThreads, {}),
    inbox: () => person.call(listThreadInbox, {}),
    mentions: () => person.call(listMentions, {}),
    tasks: () => person.call(listTasks, {}),
  }
  for (const [name, list] of Object.entries(lists)) {
    const rows = await rowsReadBy(t, w.ctx, list, { indexed: true })
    // Memberships are counted in an index: of threads those of chats and those of threads.
    assert.ok(rows < (name === 'threads' ? 2_000 : 1_500), `${name}: ${rows}`)
  }
})
