import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { QueryOf, searchMessages } from '@parley/contract'
import fc from 'fast-check'
import { actingFor } from '../platform/actor.js'
import { type Person, world } from '../testing/world.js'
import { searchJobs } from './jobs.js'
import { createKeptMatches } from './kept-matches.js'
import { findPage } from './search-messages.js'
import { closeSegments } from './segment-queries.js'

type Query = QueryOf<typeof searchMessages>

const SEGMENT = 4096
const START_MS = Date.UTC(2026, 0, 1)
const SEGMENTS = 5
/** A small workspace is looked through whole. */
const FIRST = 40
/** In each segment. */
const MESSAGES = 40

/** Segments of messages that all have a common word and each one of two others, in chats of alice and bob, and of alice alone. */
async function setUp(t: TestContext) {
  const { ctx, alice, bob, office, news, pool } = await stage(t)
  const at = (segment: number, n: number) =>
    new Date(START_MS + ((segment * 7) % SEGMENTS) * 3_600_000 + n * 60_000)
  const rows = Array.from({ length: SEGMENTS * MESSAGES }, (_, index) => {
    const [segment, n] = [Math.floor(index / MESSAGES), index % MESSAGES]
    const chat_id = n % 3 === 0 ? news.id : office.id
    const content = `план ${n % 2 === 0 ? 'чёрный' : 'белый'} ${index}`
    const [created_at, changed_at] = [at(segment, n), at(segment, n)]
    const id = (FIRST + segment) * SEGMENT + n + 1
    return { id, chat_id, root_chat_id: chat_id, user_id: alice.id, content, created_at, changed_at }
  })
  await ctx.db.insertInto('messages').values(rows).execute()
  await pool(`select setval('messages_id_seq', ${(FIRST + SEGMENTS - 1) * SEGMENT + MESSAGES})`)
  const open = () =>
    ctx.db.selectFrom('search_segments').select('segment').where('newest', 'is', null).execute()
  while ((await closeSegments(ctx.db)) > 0 || (await open()).length > 0);
  const kept = createKeptMatches(ctx)(ctx)
  const acting = ({ id }: Person) => actingFor(id, 'user', 'corporation')
  const found = async (who: Person, query: Query, more: { kept?: typeof kept } = {}) => {
    const { page, found } = await findPage(ctx, acting(who), query, more)
    return { ids: page.ids, counted: found.counted, complete: found.complete, more: found.more }
  }
  return { ctx, alice, bob, pool, ids: rows.map(({ id }) => id), kept, found }
}

async function stage(t: TestContext) {
  const w = await world(t)
  return { ...w, pool: (text: string) => w.ctx.pool.query(text) }
}

test('a search that is asked again finds what is kept, until a message of it changes', async (t) => {
  const { bob, pool, ids, kept, found } = await setUp(t)
  const query = { query: 'план', limit: 5 }
  const whole = await found(bob, query)
  const total = SEGMENTS * (MESSAGES - Math.ceil(MESSAGES / 3))
  assert.equal(whole.counted, total)
  for (let time = 0; time < 5; time += 1) assert.deepEqual(await found(bob, query, { kept }), whole)

  const inFirst = ids[1]
  await pool('alter table messages disable trigger search_changes_by_delete')
  await pool(`delete from messages where id = ${inFirst}`)
  await pool('alter table messages enable trigger search_changes_by_delete')
  assert.equal((await found(bob, query, { kept })).counted, total, 'it is what was kept')
  await pool(`delete from messages where id = ${ids[2]}`)
  assert.equal((await found(bob, query, { kept })).counted, total - 2)
  await pool(`update messages set content = 'другое' where id = ${ids[4]}`)
  assert.equal((await found(bob, query, { kept })).counted, total - 3)
})

test('changes that nobody told of are not missed when their list is cut short', async (t) => {
  const { ctx, bob, pool, ids, kept, found } = await setUp(t)
  const query = { query: 'план', limit: 5 }
  for (let time = 0; time < 5; time += 1) await found(bob, query, { kept })
  const { counted } = await found(bob, query, { kept })
  await pool(`delete from messages where id = ${ids[1]}`)
  // As if so much had happened since that the change went from the list.
  await pool(`insert into search_changes (segment) select 1 from generate_series(1, 10001)`)
  await searchJobs(ctx)['search.forget_changes'].run()
  const left = await ctx.db
    .selectFrom('search_changes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .execute()
  assert.deepEqual(left, [{ count: 10_001 }])
  assert.equal((await found(bob, query, { kept })).counted, counted - 1)
})

test('searches that run at once, from the first on, find nothing that was deleted before they began', async (t) => {
  const { bob, pool, ids, kept, found } = await setUp(t)
  const query = { query: 'план', limit: 5 }
  const { counted: total } = await found(bob, query)
  const own = ids.filter((_, index) => (index % MESSAGES) % 3 !== 0)
  let [begun, ended, searched] = [0, 0, 0]

  async function searchOnce() {
    const before = ended
    const { counted } = await found(bob, query, { kept })
    searched += 1
    assert.ok(counted <= total - before, `${before} were deleted, and ${counted} of ${total} were counted`)
    assert.ok(counted >= total - begun, `only ${begun} were, and ${counted} of ${total} were counted`)
  }
  async function searchOn() {
    while (ended < own.length) await searchOnce()
  }
  async function deleteAll() {
    for (const id of own) {
      begun += 1
      await pool(`delete from messages where id = ${id}`)
      ended += 1
      // However fast deletions are, searches come between them.
      if (ended % 10 === 0) await searchOnce()
    }
  }
  await Promise.all([searchOn(), searchOn(), searchOn(), deleteAll()])
  assert.equal((await found(bob, query, { kept })).counted, 0)
  assert.ok(searched >= 10, `${searched} searches`)
})

const change = fc.record({
  kind: fc.constantFrom('edit', 'blank', 'delete', 'write'),
  place: fc.nat(SEGMENTS * MESSAGES - 1),
})
const search = fc.record({
  kind: fc.constant('search' as const),
  query: fc.constantFrom('план', 'белый', 'план чёрный', 'нигде'),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.constantFrom(3, 20),
  alone: fc.boolean(),
})

test('what is kept finds the same as the database, whatever changes in between', async (t) => {
  const { ctx, alice, bob, pool, ids, kept, found } = await setUp(t)
  const office = await ctx.db
    .selectFrom('messages')
    .select('chat_id')
    .where('id', '=', ids[1] as number)
    .executeTakeFirstOrThrow()
  const texts = { edit: 'план белый', blank: 'пусто' }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(change, search, search), { minLength: 20, maxLength: 30 }),
      async (acts) => {
        for (const act of acts) {
          if (act.kind === 'search') {
            const { kind: _, alone, ...query } = act
            const who = alone ? bob : alice
            assert.deepEqual(await found(who, query, { kept }), await found(who, query))
          } else if (act.kind === 'write')
            await pool(`insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
            values (${office.chat_id}, ${office.chat_id}, ${alice.id}, 'план', now(), now())`)
          else if (act.kind === 'delete') await pool(`delete from messages where id = ${ids[act.place]}`)
          else
            await pool(
              `update messages set content = '${texts[act.kind as 'edit' | 'blank']}' where id = ${ids[act.place]}`,
            )
        }
      },
    ),
    { numRuns: 12 },
  )
})
