import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listChats, listPeople, listRoster, lookUpChats } from '@parley/contract'
import { rowsReadBy } from '../testing/rows-read.js'
import { type World, world } from '../testing/world.js'

const PEOPLE = 2500

/** A workspace of many people, all of them in the office. */
async function crowd(t: TestContext): Promise<World> {
  const w = await world(t)
  const client = await w.ctx.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `with made as (
         insert into users (role, first_name, last_name, nickname, created_at)
         select 'user', 'Person', 'Number' || n, 'n' || n, now() from generate_series(1, $1::int) n returning id
       )
       insert into chat_members (chat_id, user_id, role, place, joined_at) select $2, id, 'member', 'group', now() from made`,
      [PEOPLE, w.office.id],
    )
    await client.query(
      `insert into user_search select id, search_user_vector(u) from users u where nickname in ('n77', 'n2499')`,
    )
    await client.query(`update chat_rosters set members_count = $1 where chat_id = $2`, [PEOPLE, w.office.id])
    // All of them: what the planner expects of a table that was never looked at makes it read others whole.
    await client.query('analyze')
    // What an index alone can answer depends on whether the database has cleaned up the pages yet.
    await client.query('vacuum chat_members, users, user_search')
  } finally {
    await client.query('set session_replication_role = origin')
    client.release()
  }
  return w
}

/** A workspace of many open chats, the caller in none of them; nobody has written there for days. */
async function town(t: TestContext): Promise<World> {
  const w = await world(t)
  const client = await w.ctx.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into chats (kind, name, public, owner_id, meet_slug, created_at, last_message_at)
       select 'conversation', 'Room c' || n, true, $1, 'room', now(), now() - n * interval '1 day' from generate_series(1, $2::int) n`,
      [w.alice.id, PEOPLE],
    )
    await client.query(
      `insert into chat_search select id, search_name_vector(name) from chats where name in ('Room c77', 'Room c2499')`,
    )
    await client.query('analyze')
  } finally {
    await client.query('set session_replication_role = origin')
    client.release()
  }
  return w
}

test('people are looked up in many as in few', async (t) => {
  const w = await crowd(t)
  const alice = await w.as(w.alice.id, { session: true })
  const people = (query: object) => alice.call(listPeople, { query: { limit: 50, ...query } })
  const roster = (query: object) => alice.call(listRoster, { params: { id: w.office.id }, query })
  const next = async (list: (query: object) => ReturnType<typeof people>, query: object) => {
    const { meta } = await list(query)
    return { ...query, cursor: meta?.paginate.next_page }
  }
  const asked = {
    everybody: () => people({}),
    'in a chat': () => people({ chat_id: w.office.id }),
    'a common prefix': () => people({ query: 'p', chat_id: w.office.id }),
    'a rare prefix': () => people({ query: 'n249', chat_id: w.office.id }),
    roster: () => roster({}),
  }
  const second = await next(people, { chat_id: w.office.id })
  const { meta } = await roster({})
  const later = {
    'in a chat, next page': () => people(second),
    'roster, next page': () => roster({ cursor: meta.paginate.next_page }),
  }
  for (const [name, ask] of Object.entries({ ...asked, ...later })) {
    const rows = await rowsReadBy(t, w.ctx, ask)
    assert.ok(rows < 2200, `${name}: ${rows} rows are read`)
  }
  const { data } = await people({ query: 'n249', chat_id: w.office.id })
  assert.deepEqual(
    data.map(({ nickname }) => nickname),
    ['n2499'],
  )
})

test('open chats are listed by their last message from an index', async (t) => {
  const w = await town(t)
  const list = (query: object) =>
    w.bob.call(listChats, {
      query: { availability: 'public' as const, sort: 'last_message_at' as const, ...query },
    })
  const { meta } = await list({})
  const moment = new Date(Date.now() - 1000 * 86_400_000).toISOString()
  const asked = [
    {},
    { cursor: meta?.paginate.next_page },
    { order: 'asc' },
    { last_message_at_before: moment },
  ]
  for (const query of asked) {
    const rows = await rowsReadBy(t, w.ctx, () => list(query))
    assert.ok(rows < 200, `${JSON.stringify(query)}: ${rows} rows are read`)
  }
})

test('chats are looked up in many as in few', async (t) => {
  const w = await town(t)
  const bob = await w.as(w.bob.id, { session: true })
  const chats = (query: object) => bob.call(lookUpChats, { query: { limit: 50, ...query } })
  const { meta } = await chats({ open: true })
  const second = { open: true, cursor: meta.paginate.next_page }
  const asked = [{}, { open: true }, second, { query: 'r' }, { query: 'c249' }]
  for (const query of asked) {
    const rows = await rowsReadBy(t, w.ctx, () => chats(query))
    assert.ok(rows < 2200, `${JSON.stringify(query)}: ${rows} rows are read`)
  }
  const named = async (query: object) => (await chats(query)).data.map(({ name }) => name)
  assert.deepEqual(await named({ query: 'c249' }), ['Room c2499'])
  assert.deepEqual((await named(second)).slice(0, 2), ['Room c50', 'Room c51'])
})
