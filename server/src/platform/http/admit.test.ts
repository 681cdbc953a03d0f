import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMessage,
  getChat,
  getProfile,
  getTokenInfo,
  listChats,
  listMessages,
  listUsers,
} from '@parley/contract'
import { cpuTimeOf } from '../../testing/cpu-time.js'
import { world } from '../../testing/world.js'
import { rawQuery } from './read-query.js'

test('a token tells about itself, masked, and notes its first use', async (t) => {
  const { alice, clock } = await world(t)
  clock.freeze(true)
  const first = await alice.call(getTokenInfo)
  assert.equal(first.data.user_id, alice.id)
  assert.equal(first.data.token, `${alice.token.slice(0, 8)}...${alice.token.slice(-4)}`)
  const used = first.data.last_used_at
  assert.ok(used)
  clock.advance(3_599_000)
  assert.equal((await alice.call(getTokenInfo)).data.last_used_at, used)
  clock.advance(2_000)
  assert.notEqual((await alice.call(getTokenInfo)).data.last_used_at, used)
})

test('a revoked token is refused at the next request, a suspended holder too', async (t) => {
  const { alice, bob, ctx } = await world(t)
  await alice.call(getTokenInfo)
  await bob.call(getTokenInfo)
  await ctx.db.deleteFrom('tokens').where('user_id', '=', alice.id).execute()
  await assert.rejects(alice.call(getTokenInfo), { status: 401, code: 'invalid_token' })
  await ctx.db.updateTable('users').set({ suspended: true }).where('id', '=', bob.id).execute()
  await assert.rejects(bob.call(getTokenInfo), { status: 403, code: 'access_denied' })
  await ctx.db.updateTable('users').set({ suspended: false }).where('id', '=', bob.id).execute()
  await bob.call(getTokenInfo)
})

test('what is read while rights are looked at is answered only where they hold', async (t) => {
  const { alice, bob, office, ctx } = await world(t)
  const reads = [
    () => alice.call(getProfile),
    () => alice.call(listUsers),
    () => alice.call(listChats),
    () => alice.call(getChat, { params: { id: office.id } }),
    () => alice.call(listMessages, { query: { chat_id: office.id } }),
  ]
  const change = (scopes: string[]) =>
    ctx.db.updateTable('tokens').set({ scopes }).where('user_id', '=', alice.id).execute()
  const { scopes } = await ctx.db
    .selectFrom('tokens')
    .select('scopes')
    .where('user_id', '=', alice.id)
    .executeTakeFirstOrThrow()
  for (const read of reads) {
    await read()
    await change([])
    await assert.rejects(read(), { status: 403, code: 'insufficient_scope' })
    // Refused by what was known last, which is no more so.
    await change(scopes)
    await read()
  }
  await ctx.db.deleteFrom('tokens').where('user_id', '=', alice.id).execute()
  for (const read of reads) await assert.rejects(read(), { status: 401, code: 'invalid_token' })
  await bob.call(getProfile)
  await ctx.db.updateTable('users').set({ suspended: true }).where('id', '=', bob.id).execute()
  await assert.rejects(bob.call(getProfile), { status: 403, code: 'access_denied' })
})

test('a read whose rights changed meanwhile is counted once', async (t) => {
  const { alice, ctx, clock } = await world(t, { limits: true })
  clock.freeze(true)
  for (let count = 0; count < 5; count += 1) await alice.call(listChats)
  await ctx.pool.query('update admission_epoch set epoch = epoch + 1')
  const { headers } = await alice.send(listChats)
  assert.match(headers.get('ratelimit') ?? '', /r=4;/)
})

test('requests above the limit get plain text and a time to wait', async (t) => {
  const { alice, url, clock } = await world(t, { limits: true })
  clock.freeze(true)
  for (let count = 0; count < 50; count += 1) await alice.call(getTokenInfo)
  const refused = await fetch(`${url}/v1/oauth/token/info`, {
    headers: { Authorization: `Bearer ${alice.token}` },
  })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.headers.get('ratelimit-policy'), '"other";q=50;w=1')
  assert.equal(refused.headers.get('ratelimit'), '"other";r=0;t=1')
  assert.match(refused.headers.get('content-type') ?? '', /^text\/plain/)
  assert.equal(await refused.text(), 'Too Many Requests')
  clock.advance(1000)
  const { headers } = await alice.send(getTokenInfo)
  assert.equal(headers.get('ratelimit-policy'), '"other";q=50;w=1')
  assert.equal(headers.get('ratelimit'), '"other";r=49;t=1')
})

test('a session reads fifty a second whatever it reads, beside what it writes', async (t) => {
  const w = await world(t, { limits: true })
  w.clock.freeze(true)
  const alice = await w.as(w.alice.id, { session: true })
  for (let count = 0; count < 50; count += 1) await alice.call(listChats)
  await assert.rejects(alice.call(listChats), { status: 429 })
  await alice.call(createMessage, { body: { message: { entity_id: w.office.id, content: 'still here' } } })
  for (let count = 0; count < 10; count += 1) await w.alice.call(listChats)
  await assert.rejects(w.alice.call(listChats), { status: 429 })
})

test('guesses are limited by address and then not looked up; a token that has worked from there passes', async (t) => {
  const { alice, bob, url, clock, ctx } = await world(t, { limits: true })
  clock.freeze(true)
  const guess = (n: number) =>
    fetch(`${url}/v1/oauth/token/info`, { headers: { Authorization: `Bearer guess-${n}` } })
  let lookups = 0
  const { query } = ctx.autocommit_pool
  t.mock.method(ctx.autocommit_pool, 'query', function (this: unknown, ...args: unknown[]) {
    if (String(args[0]).includes('from tokens')) lookups += 1
    return Reflect.apply(query, this, args)
  })
  await alice.call(getTokenInfo)
  for (let n = 0; n < 50; n += 1) assert.equal((await guess(n)).status, 401)
  const before = lookups
  for (let n = 50; n < 60; n += 1) {
    const refused = await guess(n)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(refused.headers.get('ratelimit'), '"anonymous";r=0;t=1')
  }
  await assert.rejects(bob.call(getTokenInfo), { status: 429 })
  assert.equal(lookups, before)
  await alice.call(getTokenInfo)
  await ctx.db.deleteFrom('tokens').where('user_id', '=', alice.id).execute()
  await assert.rejects(alice.call(getTokenInfo), { status: 429 })
  clock.advance(1000)
  assert.equal((await guess(61)).status, 401)
  await bob.call(getTokenInfo)
})

test('a query that repeats a name is read in one pass', () => {
  const took_ms = cpuTimeOf(() => {
    assert.equal(rawQuery(`/x?${'a&'.repeat(100_000)}`).get('a')?.length, 100_000)
  })
  assert.ok(took_ms < 1_000, `${took_ms} ms`)
})

test('a full disk is answered with 503, and the server is not ready for a while', async (t) => {
  const { alice, office, url, clock, ctx } = await world(t)
  const ready = async () => (await fetch(`${url}/readyz`)).status
  await ctx.pool.query(`create function no_space() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
  await ctx.pool.query('create trigger no_space before insert on messages execute function no_space()')
  const say = () => alice.call(createMessage, { body: { message: { entity_id: office.id, content: 'hi' } } })
  assert.equal(await ready(), 200)
  await assert.rejects(say(), { status: 503, code: 'service_unavailable' })
  assert.equal(await ready(), 503)
  await ctx.pool.query('drop trigger no_space on messages')
  await say()
  clock.advance(30_000)
  assert.equal(await ready(), 200)
})

test('no browser guesses the type of an answer, and nobody between keeps it', async (t) => {
  const { alice, url } = await world(t)
  const ask = (path: string, token: string) =>
    fetch(url + path, { headers: { Authorization: `Bearer ${token}` } })
  for (const answer of [await ask('/v1/profile', alice.token), await ask('/v1/profile', 'wrong')]) {
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
})

test('an operator sets other limits, and the headers and the document tell them', async (t) => {
  const env = { PARLEY_RATE_WINDOWS: 'other=3/2, session-read=80/1' }
  const { alice, url, clock } = await world(t, { limits: true, env })
  clock.freeze(true)
  const ask = () =>
    fetch(`${url}/v1/oauth/token/info`, { headers: { Authorization: `Bearer ${alice.token}` } })
  const answers = [await ask(), await ask(), await ask(), await ask()]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 429],
  )
  assert.equal(answers[0]?.headers.get('ratelimit-policy'), '"other";q=3;w=2')
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { 'x-rate-classes': unknown }
  const { other, company } = document['x-rate-classes'] as Record<string, unknown>
  assert.deepEqual(other, [{ name: 'other', requests: 3, window_s: 2, by: 'token' }])
  assert.deepEqual(company, [{ name: 'company', requests: 30, window_s: 60, by: 'token' }])
})
