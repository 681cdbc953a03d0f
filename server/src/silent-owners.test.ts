import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  createGroupTag,
  createMessage,
  getChatCard,
  getStart,
  listAuditEvents,
  listChatFiles,
  listChatMembers,
  listDeliveries,
  listDrafts,
  listGroupTagUsers,
  listMentions,
  listMessages,
  listNotices,
  listOwnChatCards,
  listPins,
  listReactions,
  listReadMemberIds,
  listRoster,
  listTasks,
  listThreads,
  listTimeline,
  listUnread,
  listWebhookEvents,
  lookUpChats,
  type PaginationMeta,
} from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertBulk } from './testing/bulk.js'
import { rowsReadBy } from './testing/rows-read.js'
import { type World, world } from './testing/world.js'

/** Rows of three owners by turns, and then as many of two of them alone. */
const TURNS = 5_000
const ROWS = 6 * TURNS

/** Which of these owners has row `n`: the first had none of the later half. */
const ownerOf = (owners: readonly (number | string)[]) =>
  sql`(array[${sql.join(owners)}])[case when n > ${sql.lit(ROWS / 2)} then 2 + n % 2 else 1 + n % 3 end]`

const row = sql`generate_series(1, ${sql.lit(ROWS)}) n`
const time = sql`now() - interval '100 days' + n * interval '1 second'`

async function fill({ ctx, alice, bob, mia, bot, office, attic, news }: World) {
  const chat = sql`${ownerOf([office.id, attic.id, news.id])}::bigint`
  const author = sql`(array[${alice.id}, ${bob.id}, ${mia.id}])[1 + n / 7 % 3]::bigint`
  const person = sql`${ownerOf([alice.id, bob.id, mia.id])}::bigint`
  const robot = sql`${ownerOf([bot.id, bot.id + 1, bot.id + 2])}::bigint`
  await insertBulk(
    ctx,
    sql`insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at, number, file_names)
      select ${chat}, ${chat}, ${author}, 'text', ${time}, ${time}, n, '' from ${row}`,
    sql`update chats c set (last_message_id, messages_count) = (
        select max(id), max(number) from messages m where m.chat_id = c.id)
      where id in (${office.id}, ${attic.id}, ${news.id})`,
    sql`insert into files (owner_id, key, name, file_type, size, message_id, chat_id, created_at)
      select user_id, 'key', 'name', (array['image', 'video'])[1 + number % 2], 1, id, chat_id, created_at from messages
      order by id`,
    sql`insert into mentions (message_id, chat_id, user_id)
      select id, chat_id, case number % 3 when 0 then user_id % 3 + 1 end from messages order by id`,
    sql`insert into pins (message_id, chat_id, user_id, pinned_at) select id, chat_id, user_id, created_at from messages`,
    sql`insert into threads (chat_id, message_id, message_chat_id, creator_id, created_at, updated_at)
      select 1000000 + id, id, chat_id, user_id, created_at, created_at from messages order by id`,
    sql`insert into tasks (kind, content, priority, user_id, chat_id, created_at)
      select 'reminder', 'x', 1, ${person}, case n / 5 % 2 when 0 then ${chat} end, ${time} from ${row}`,
    sql`insert into drafts (user_id, chat_id, content, created_at, updated_at, interval, start_date, next_send_at)
      select ${person}, 1, 'x', ${time}, ${time}, 'daily', now(), now() from ${row}`,
    sql`insert into notices (user_id, event_id, kind, payload, created_at)
      select ${person}, 1000000 + n, 'x', '{}', ${time} from ${row}`,
    sql`insert into deliveries (bot_id, chat_id, event_id, event_type, payload, state, created_at)
      select ${robot}, 1, 'event' || n, 'message_new', '{}', 'delivered', ${time} from ${row}`,
    sql`insert into queued_events (id, bot_id, event_type, payload, created_at)
      select 'event' || n, ${robot}, 'message_new', '{}', ${time} from ${row}`,
    sql`insert into audit_events (id, sequence, position, created_at, event_key, actor_id, entity_type, entity_id, details,
        hash) overriding system value
      select gen_random_uuid(), 1000000 + n, 1000000 + n, ${time}, ${ownerOf(['user_updated', 'user_login', 'user_logout'])},
        ${person}, 'User', ${person}::text, '{}', '' from ${row}`,
    sql`update bots set creator_id = ${alice.id}, events_history_enabled = true`,
  )
  await ctx.pool.query('vacuum analyze')
}

type Pages = Record<string, (query: { cursor?: string }) => Promise<{ meta?: PaginationMeta }>>
type Answers = Record<string, () => Promise<unknown>>

/** No statement behind the first two pages of lists, and other answers, reads many rows, whichever way it is planned. */
async function checkRows(t: TestContext, { ctx }: World, pages: Pages, others: Answers = {}) {
  for (const plans of ['generic', 'custom'] as const) {
    const check = async (name: string, work: () => Promise<unknown>) => {
      const rows = await rowsReadBy(t, ctx, work, { plans })
      assert.ok(rows < 1000, `${name}, by ${plans} plans: ${rows} of ${ROWS} rows are read`)
    }
    for (const [name, list] of Object.entries(pages)) {
      let cursor: string | undefined
      await check(name, async () => {
        cursor = (await list({})).meta?.paginate.next_page
      })
      await check(`${name}, second page`, () => list({ cursor: cursor ?? '' }))
    }
    for (const [name, ask] of Object.entries(others)) await check(name, ask)
  }
}

test('lists read the rows of their owner alone, also of one that fell silent long ago', async (t) => {
  const w = await world(t)
  await fill(w)
  const { owner, bot, office, alice } = w
  const person = await w.as(alice.id, { session: true, scopes: ['bots:read'] })
  const chat = { params: { id: office.id } }
  const pages: Pages = {
    messages: (query) => alice.call(listMessages, { query: { chat_id: office.id, ...query } }),
    images: (query) => person.call(listChatFiles, { ...chat, query: { kind: 'image', ...query } }),
    'audio files': (query) => person.call(listChatFiles, { ...chat, query: { kind: 'audio', ...query } }),
    mentions: (query) => person.call(listMentions, { query }),
    pins: (query) => person.call(listPins, { ...chat, query }),
    threads: (query) => alice.call(listThreads, { query }),
    tasks: (query) => alice.call(listTasks, { query }),
    'tasks of a chat': (query) => alice.call(listTasks, { query: { chat_ids: [office.id], ...query } }),
    drafts: (query) => alice.call(listDrafts, { query: { type: 'scheduled', ...query } }),
    notices: (query) => person.call(listNotices, { query }),
    deliveries: (query) => person.call(listDeliveries, { params: { id: bot.id }, query }),
    'queued events': (query) => bot.call(listWebhookEvents, { query }),
    'records of an actor': (query) =>
      owner.call(listAuditEvents, { query: { actor_id: `${alice.id}`, ...query } }),
    'records of a kind': (query) =>
      owner.call(listAuditEvents, { query: { event_key: 'user_updated', ...query } }),
    unread: (query) => person.call(listUnread, { query }),
    cards: (query) => person.call(listOwnChatCards, { query }),
  }
  const others: Answers = {
    timeline: () => person.call(listTimeline, chat),
    'timeline before its messages': () => person.call(listTimeline, { ...chat, query: { before: 2 } }),
    'timeline around its messages': () => person.call(listTimeline, { ...chat, query: { around: 2 } }),
    'timeline after its messages': () => person.call(listTimeline, { ...chat, query: { after: 2 ** 40 } }),
    'first unread of a timeline': () => person.call(listTimeline, { ...chat, query: { first_unread: true } }),
    card: () => person.call(getChatCard, chat),
    start: () => person.call(getStart, {}),
  }
  await checkRows(t, w, pages, others)
})

/** The last third of all people: members of a chat, with a tag, who read a message and reacted to it. */
async function crowd({ ctx, alice, office, attic }: World, messageId: number, tagId: number) {
  const person = sql`1000000 + n`
  const late = sql`generate_series(${sql.lit((ROWS / 3) * 2)}, ${sql.lit(ROWS)}) n`
  const react = (id: number, by: RawBuilder<unknown>) => sql`
    insert into reactions (message_id, user_id, emoji, code, name, created_at)
    select ${id}::bigint, ${person}, 'x', 'x', 'x', ${time} from ${by}`
  const join = (id: number, by: RawBuilder<unknown>) => sql`
    insert into chat_members (chat_id, user_id, role, joined_at, read_message_id, place)
    select ${id}::bigint, ${person}, 'member', ${time}, ${messageId}::bigint, 'group' from ${by}`
  await insertBulk(
    ctx,
    sql`insert into users (id, role, nickname, first_name, created_at)
      select ${person}, 'user', 'u' || n, 'Person', ${time} from ${row}`,
    join(office.id, late),
    join(attic.id, row),
    sql`update chat_rosters r set members_count = (select count(*) from chat_members m where m.chat_id = r.chat_id)`,
    sql`insert into user_tags (tag_id, user_id) select ${tagId}::bigint, ${person} from ${late}`,
    sql`insert into user_tags (tag_id, user_id) select ${tagId}::bigint + 1, ${person} from ${row}`,
    react(messageId + 1, row),
    react(messageId, late),
    sql`insert into chats (kind, name, public, owner_id, meet_slug, created_at, last_message_at)
      select 'conversation', 'Room', false, ${alice.id}::bigint, 'room', ${time}, ${time} from ${row} where n % 25 = 0`,
    sql`insert into chat_members (chat_id, user_id, role, joined_at, place)
      select id, ${alice.id}::bigint, 'member', now(), 'group' from chats where name = 'Room' and id % 4 = 0`,
  )
  await ctx.pool.query('vacuum analyze')
}

test('lists of people read those who belong to them, also where all of them came late', async (t) => {
  const w = await world(t)
  const { alice, office } = w
  const inOffice = { entity_id: office.id, content: 'x' }
  const { data: message } = await alice.call(createMessage, { body: { message: inOffice } })
  const { data: tag } = await w.owner.call(createGroupTag, { body: { group_tag: { name: 'Late' } } })
  await crowd(w, message.id, tag.id)
  const person = await w.as(alice.id, { session: true })
  const chat = { params: { id: office.id } }
  await checkRows(t, w, {
    members: (query) => alice.call(listChatMembers, { ...chat, query }),
    roster: (query) => person.call(listRoster, { ...chat, query }),
    readers: (query) => alice.call(listReadMemberIds, { params: { id: message.id }, query }),
    'people with a tag': (query) => alice.call(listGroupTagUsers, { params: { id: tag.id }, query }),
    reactions: (query) => alice.call(listReactions, { params: { id: message.id }, query }),
    'own chats': (query) => person.call(lookUpChats, { query }),
  })
})
