import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createThread, deleteMessage, updateMessage } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { pino } from 'pino'
import type { MovableClock } from '../platform/clock.js'
import { readConfig } from '../platform/config.js'
import { startServer } from '../serve.js'
import { type World, world } from '../testing/world.js'
import { saying } from './testing-saying.js'

const DAILY_MESSAGES = 5000
const HOUR_MS = 3_600_000

/** Messages that somebody has sent already, evenly over a span of time that ends now. */
async function sentBefore(
  { ctx }: World,
  sender: { user_id: number; chat_id: number },
  count: number,
  span_ms: number,
) {
  const { user_id, chat_id } = sender
  const now = ctx.clock.now()
  await ctx.pool.query(
    `insert into messages (chat_id, root_chat_id, user_id, content, quota_number, created_at, changed_at)
     select $1, $1, $2, 'before', n, at, at from (
       select n, $3::timestamptz - make_interval(secs => $4::float8 * ($5 - n) / $5) as at
       from generate_series(1, $5::int) n) sent`,
    [chat_id, user_id, new Date(now), span_ms / 1000, count],
  )
  await ctx.db.insertInto('message_quotas').values({ user_id, chat_id, sent: count }).execute()
}

async function refusal(call: Promise<unknown>): Promise<number> {
  let wait_s = 0
  await assert.rejects(
    call,
    (error: { status: number; code: string; retry_after_s: number; body: unknown }) => {
      assert.equal(error.status, 429)
      assert.equal(error.code, 'rate_limit')
      assert.ok((error.body as { errors: unknown[] }).errors.length === 1)
      wait_s = error.retry_after_s
      return true
    },
  )
  return wait_s
}

/** A second process on the same database, with the same clock. */
async function secondServer(t: { after(end: () => Promise<void>): void }, w: World, clock: MovableClock) {
  const config = readConfig({
    DATABASE_URL: w.ctx.config.database_url as string,
    PORT: '0',
    PARLEY_RATE_LIMITS: 'off',
    PARLEY_POOL_SIZE: '4',
  })
  const server = await startServer(config, { clock, log: pino({ level: 'silent' }) })
  t.after(() => server.stop())
  return (token: string) => createClient({ base_url: `${server.url}/v1`, token })
}

test('exactly 5000 messages of a sender fit into a chat and 24 hours, over two processes at once', async (t) => {
  const w = await world(t)
  const { alice, office, clock, ctx } = w
  clock.freeze(true)
  await sentBefore(w, { user_id: alice.id, chat_id: office.id }, DAILY_MESSAGES - 40, HOUR_MS)
  const connect = await secondServer(t, w, clock)
  const both = [alice, connect(alice.token)]
  const results = await Promise.allSettled(
    Array.from({ length: 80 }, (_, index) =>
      (both[index % 2] as typeof alice).call(createMessage, {
        ...saying(office.id, `m${index}`),
        // Every fifth takes the plain way.
        ...(index % 5 === 0 ? { idempotency_key: `k${index}` } : {}),
      }),
    ),
  )
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 40)
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.ok(refused.every(({ status, code }) => status === 429 && code === 'rate_limit'))
  const numbers = await ctx.db
    .selectFrom('messages')
    .select('quota_number')
    .where('user_id', '=', alice.id)
    .orderBy('quota_number')
    .execute()
  assert.deepEqual(
    numbers.map(({ quota_number }) => quota_number),
    Array.from({ length: DAILY_MESSAGES }, (_, index) => index + 1),
  )
})

test('the window slides: one place opens when the oldest message is 24 hours old, in either process', async (t) => {
  const w = await world(t)
  const { alice, office, clock, ctx } = w
  clock.freeze(true)
  // One every 15 seconds over 20 h 50 min: the oldest leaves the window in 3 h 10 min and 15 s.
  await sentBefore(w, { user_id: alice.id, chat_id: office.id }, DAILY_MESSAGES, DAILY_MESSAGES * 15_000)
  const connect = await secondServer(t, w, clock)
  const other = connect(alice.token)
  const left_s = 24 * 3600 - (DAILY_MESSAGES - 1) * 15
  assert.equal(await refusal(alice.call(createMessage, saying(office.id, 'over'))), left_s)
  clock.advance(left_s * 1000 - 1)
  assert.equal(await refusal(other.call(createMessage, saying(office.id, 'too early'))), 3600, 'a new pause')
  clock.advance(3600 * 1000)
  // The pause is over, and 240 places have opened: one every 15 seconds, the first an hour less a moment ago.
  for (let index = 0; index < 240; index += 1) {
    await (index % 2 ? other : alice).call(createMessage, saying(office.id, `m${index}`))
  }
  assert.ok((await refusal(alice.call(createMessage, saying(office.id, 'full again')))) >= 3600)
  const { sent } = await ctx.db
    .selectFrom('message_quotas')
    .select('sent')
    .where('user_id', '=', alice.id)
    .executeTakeFirstOrThrow()
  assert.equal(sent, DAILY_MESSAGES + 240)
})

test('attempts during a pause double it up to a day, and a restart forgets nothing', async (t) => {
  const w = await world(t)
  const { alice, bob, office, clock, ctx } = w
  clock.freeze(true)
  await sentBefore(w, { user_id: alice.id, chat_id: office.id }, DAILY_MESSAGES, 24 * HOUR_MS - 1000)
  // The window has room again within a second, so that the pause alone is what is answered.
  const attempt = () => refusal(alice.call(createMessage, saying(office.id, 'again')))
  assert.equal(await attempt(), 3600)
  clock.advance(60_000)
  const connect = await secondServer(t, w, clock)
  const restarted = connect(alice.token)
  assert.equal(await refusal(restarted.call(createMessage, saying(office.id, 'again'))), 2 * 3600)
  for (const hours of [4, 8, 16, 24, 24]) assert.equal(await attempt(), hours * 3600)
  await bob.call(createMessage, saying(office.id, 'others are free'))
  const { data: elsewhere } = await alice.call(
    createMessage,
    saying(bob.id, 'so am I here', { entity_type: 'user' }),
  )
  await alice.call(updateMessage, { params: { id: elsewhere.id }, body: { message: { content: 'edited' } } })

  const [own] = await ctx.db
    .selectFrom('messages')
    .select('id')
    .where('user_id', '=', alice.id)
    .where('chat_id', '=', office.id)
    .limit(1)
    .execute()
  await alice.call(updateMessage, {
    params: { id: own?.id as number },
    body: { message: { content: 'edit' } },
  })
  await alice.call(deleteMessage, { params: { id: own?.id as number } })

  clock.advance(24 * HOUR_MS)
  await alice.call(createMessage, saying(office.id, 'the pause is over'))
  const quota = await ctx.db
    .selectFrom('message_quotas')
    .select(['pause_s', 'paused_until'])
    .where('user_id', '=', alice.id)
    .where('chat_id', '=', office.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(quota, { pause_s: null, paused_until: null })
})

test('after a send that succeeded the next pause is an hour again', async (t) => {
  const w = await world(t)
  const { alice, office, clock } = w
  clock.freeze(true)
  await sentBefore(w, { user_id: alice.id, chat_id: office.id }, DAILY_MESSAGES, 1000)
  const attempt = () => refusal(alice.call(createMessage, saying(office.id, 'x')))
  assert.equal(await attempt(), 24 * 3600 - 1)
  await attempt()
  await attempt()
  clock.advance(24 * HOUR_MS)
  for (let index = 0; index < 3; index += 1) await alice.call(createMessage, saying(office.id, 'free'))
})

test('an attempt in a pause under an idempotency key doubles the pause too', async (t) => {
  const w = await world(t)
  const { alice, office, clock } = w
  clock.freeze(true)
  await sentBefore(w, { user_id: alice.id, chat_id: office.id }, DAILY_MESSAGES, 24 * HOUR_MS - 1000)
  const keyed = () =>
    refusal(alice.call(createMessage, { ...saying(office.id, 'x'), idempotency_key: 'same' }))
  assert.equal(await keyed(), 3600)
  assert.equal(await keyed(), 2 * 3600)
})

test('comments count for the chat their thread hangs in, and refused requests do not count', async (t) => {
  const w = await world(t)
  const { alice, office, attic, clock, ctx } = w
  clock.freeze(true)
  const { data: parent } = await alice.call(createMessage, saying(office.id, 'parent'))
  const { data: thread } = await alice.call(createThread, { params: { id: parent.id } })
  const into = (content: string) => saying(thread.id, content, { entity_type: 'thread' })
  await alice.call(createMessage, into('hot'))
  await alice.call(createMessage, into('plain, as it holds an @ sign'))
  await assert.rejects(alice.call(createMessage, saying(attic.id, 'refused')), { status: 403 })
  await assert.rejects(alice.call(createMessage, saying(office.id, '')), { status: 422 })
  const rows = await ctx.db.selectFrom('message_quotas').selectAll().execute()
  assert.deepEqual(
    rows.map(({ user_id, chat_id, sent }) => ({ user_id, chat_id, sent })),
    [{ user_id: alice.id, chat_id: office.id, sent: 3 }],
  )
})

test('the daily quota is the one that the operator set, on both ways of sending', async (t) => {
  const w = await world(t)
  const { alice, bob, office, clock, ctx } = w
  clock.freeze(true)
  ctx.config.daily_messages = 100
  for (const { id } of [alice, bob]) await sentBefore(w, { user_id: id, chat_id: office.id }, 99, HOUR_MS)
  await alice.call(createMessage, saying(office.id, 'the hundredth'))
  await refusal(alice.call(createMessage, saying(office.id, 'one too many')))
  const plain = { ...saying(office.id, 'with a key'), idempotency_key: 'a' }
  await bob.call(createMessage, plain)
  await refusal(bob.call(createMessage, { ...plain, idempotency_key: 'b' }))
})
