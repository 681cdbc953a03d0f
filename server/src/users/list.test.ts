import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getUser, listUsers, updateUser } from '@parley/contract'
import { rowsExpectedBy, rowsReadBy } from '../testing/rows-read.js'
import { world } from '../testing/world.js'

test('the list holds everybody but the deleted, by id, page by page', async (t) => {
  const { alice, person, bot, admin } = await world(t)
  const asleep = await person({ nickname: 'asleep', suspended: true })
  const first = await alice.call(listUsers, { query: { limit: 4 } })
  const paginate = (first.meta as { paginate: { next_page: string; has_next: boolean } }).paginate
  assert.equal(paginate.has_next, true)
  const second = await alice.call(listUsers, { query: { limit: 4, cursor: paginate.next_page } })
  const ids = [...first.data, ...second.data].map(({ id }) => id)
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => a - b),
  )
  assert.equal(ids.length, 7)
  assert.equal(second.data.at(-1)?.id, asleep.id)
  assert.equal([...first.data, ...second.data].find(({ id }) => id === bot.id)?.bot, true)
  const paged = await admin.call(listUsers, { query: { page: 2, per: 5 } })
  assert.equal(paged.data.length, 2)
  await assert.rejects(alice.call(listUsers, { query: { cursor: 'nonsense' } }), {
    status: 400,
    code: 'invalid',
  })
  await assert.rejects(alice.call(listUsers, { query: { limit: 0 } }), { status: 400, code: 'invalid' })
})

test('a query finds people by part of name, nickname, mail and phone, and no bots', async (t) => {
  const { alice, admin, bob, bot } = await world(t)
  const user = { first_name: 'Robert', last_name: 'O_Neil', phone_number: '+49 171' }
  await admin.call(updateUser, { params: { id: bob.id }, body: { user } })
  const find = async (query: string) => {
    const { data, meta } = await alice.call(listUsers, { query: { query } })
    assert.equal((meta as { total: number }).total, data.length)
    assert.deepEqual(Object.keys(meta.paginate).sort(), ['has_next', 'has_prev', 'next_page', 'prev_page'])
    return data.map(({ id }) => id)
  }
  for (const query of ['ober', 'o_ne', 'BOB', 'bob@exa', '49 17', 'robert o'])
    assert.deepEqual(await find(query), [bob.id], query)
  assert.deepEqual(await find('o%e'), [])
  assert.deepEqual(await find('helper_bot'), [])
  assert.equal((await alice.call(getUser, { params: { id: bot.id } })).data.bot, true)
})

test('a search of people ends with an empty page that repeats its cursor', async (t) => {
  const { alice } = await world(t)
  const all = await alice.call(listUsers, { query: { query: 'example.org', limit: 3 } })
  assert.equal((all.meta as { total: number }).total, 4)
  const second = await alice.call(listUsers, {
    query: { query: 'example.org', limit: 3, cursor: all.meta.paginate.next_page },
  })
  assert.equal(second.data.length, 1)
  const cursor = second.meta.paginate.next_page
  const third = await alice.call(listUsers, { query: { query: 'example.org', cursor } })
  assert.deepEqual(third.data, [])
  assert.equal(third.meta.paginate.next_page, cursor)
})

test('ids that name nobody are 404, however odd', async (t) => {
  const { admin } = await world(t)
  for (const id of [0, -1, 999_999, 2 ** 40, 'x', '1e3'] as number[])
    await assert.rejects(admin.call(getUser, { params: { id } }), { status: 404, code: 'not_found' })
})

test('a rare text is found among many people by an index, and a common one in their order', async (t) => {
  const { alice, ctx } = await world(t)
  const client = await ctx.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into users (role, first_name, nickname, created_at)
       select 'user', 'Person', 'nick' || n, now() from generate_series(1, 3000) n`,
    )
    await client.query('vacuum analyze users')
  } finally {
    await client.query('set session_replication_role = origin')
    client.release()
  }
  for (const query of ['nick2998', 'person']) {
    const search = () => alice.call(listUsers, { query: { query } })
    const rows = await rowsReadBy(t, ctx, search, { indexed: true })
    assert.ok(rows < 2200, `${query}: ${rows} rows are read`)
  }
  const { data, meta } = await alice.call(listUsers, { query: { query: 'nick2998' } })
  assert.deepEqual([data.map(({ nickname }) => nickname), 'total' in meta && meta.total], [['nick2998'], 1])
})

test('the planner expects no more people than a page has', async (t) => {
  const { alice, ctx } = await world(t)
  const rows = await rowsExpectedBy(t, ctx, () => alice.call(listUsers, {}))
  assert.ok(rows <= 51, `${rows} rows are expected`)
})
