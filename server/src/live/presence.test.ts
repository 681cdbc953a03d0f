import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addChatMembers, listPresence, sendTyping, setOwnPresence } from '@parley/contract'
import pg from 'pg'
import { fixedPrimary } from '../platform/db/primary.js'
import { openBell } from '../platform/events/bell.js'
import { world } from '../testing/world.js'
import { createPresence } from './presence.js'
import { type Heard, listenLive } from './testing-live.js'

const told = (heard: Heard[], type: string) =>
  heard.filter(({ event }) => event === type).map(({ data }) => data.payload)

const isPresence = (user_id: number, presence: string) => (event: Heard) =>
  event.event === 'presence.changed' &&
  JSON.stringify(event.data.payload) === JSON.stringify({ user_id, presence })

test('whoever opens the stream is active, may be away, and is offline soon after the last stream ended', async (t) => {
  const w = await world(t)
  const [alice, bob, other] = [
    await w.as(w.alice.id, { session: true }),
    await w.as(w.bob.id, { session: true }),
    await w.as(w.bob.id, { session: true }),
  ]
  const hears = await listenLive(t, w, alice)
  const first = await listenLive(t, w, bob)
  await hears.until(isPresence(w.bob.id, 'active'))
  const second = await listenLive(t, w, other)
  await bob.call(setOwnPresence, { body: { presence: 'away' } })
  const { data } = await alice.call(listPresence)
  assert.deepEqual(data, [
    { user_id: w.alice.id, presence: 'active' },
    { user_id: w.bob.id, presence: 'active' },
  ])
  /** Which counts from when the server saw the stream end. */
  const waitOut = async (presence: string) => {
    do {
      w.clock.advance(10_000)
      await alice.call(listPresence)
    } while (!hears.heard.some(isPresence(w.bob.id, presence)))
  }
  second.close()
  await waitOut('away')
  first.close()
  await waitOut('offline')
  const heard = await hears.until(isPresence(w.bob.id, 'offline'))
  assert.deepEqual(told(heard, 'presence.changed').slice(-3), [
    { user_id: w.bob.id, presence: 'active' },
    { user_id: w.bob.id, presence: 'away' },
    { user_id: w.bob.id, presence: 'offline' },
  ])
  assert.ok(heard.filter(({ event }) => event === 'presence.changed').every(({ id }) => Number.isNaN(id)))
  assert.deepEqual(await w.events(), [])
  const wrong = bob.call(setOwnPresence, { body: { presence: 'offline' as 'away' } })
  await assert.rejects(wrong, { status: 400, code: 'inclusion' })
})

test('a guest hears only of those who share a chat', async (t) => {
  const w = await world(t)
  const mia = await w.as(w.mia.id, { session: true })
  const hears = await listenLive(t, w, mia)
  await listenLive(t, w, await w.as(w.admin.id, { session: true }))
  await listenLive(t, w, await w.as(w.bob.id, { session: true }))
  const heard = await hears.until(isPresence(w.bob.id, 'active'))
  assert.ok(!heard.some(isPresence(w.admin.id, 'active')))
  const { data } = await mia.call(listPresence)
  assert.deepEqual(data.map(({ user_id }) => user_id).sort(), [w.bob.id, w.mia.id].sort())
})

test('members hear who is writing, the writer and others do not, and no more often than in three seconds', async (t) => {
  const w = await world(t)
  const [alice, bob, admin] = [
    await w.as(w.alice.id, { session: true }),
    await w.as(w.bob.id, { session: true }),
    await w.as(w.admin.id, { session: true }),
  ]
  const [aliceHears, bobHears, adminHears] = [
    await listenLive(t, w, alice),
    await listenLive(t, w, bob),
    await listenLive(t, w, admin),
  ]
  w.clock.freeze(true)
  const params = { id: w.office.id }
  const isTyping = ({ event }: Heard) => event === 'typing.started'
  await alice.call(sendTyping, { params })
  await alice.call(sendTyping, { params })
  await bobHears.until(isTyping)
  w.clock.advance(3000)
  await alice.call(sendTyping, { params })
  await bob.call(sendTyping, { params })
  await aliceHears.until(isTyping)
  const payload = { chat_id: w.office.id, user_id: w.alice.id }
  await bobHears.until(() => told(bobHears.heard, 'typing.started').length === 2)
  assert.deepEqual(told(bobHears.heard, 'typing.started'), [payload, payload])
  assert.deepEqual(told(aliceHears.heard, 'typing.started'), [{ ...payload, user_id: w.bob.id }])
  assert.deepEqual(told(adminHears.heard, 'typing.started'), [])
  await assert.rejects(admin.call(sendTyping, { params }), { status: 403, code: 'not_authorized' })
  await assert.rejects(alice.call(sendTyping, { params: { id: w.attic.id } }), { status: 403 })
  await assert.rejects(alice.call(sendTyping, { params: { id: 999_999 } }), { status: 404 })
  assert.deepEqual(await w.events(), [])
})

test('who is in a chat is asked once for many who write, and again after the chat has changed', async (t) => {
  const w = await world(t)
  const [alice, bob, admin] = [
    await w.as(w.alice.id, { session: true }),
    await w.as(w.bob.id, { session: true }),
    await w.as(w.admin.id, { session: true }),
  ]
  const [bobHears, adminHears] = [await listenLive(t, w, bob), await listenLive(t, w, admin)]
  const { query } = pg.Client.prototype
  let asked = 0
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const { text = String(args[0]) } = args[0] as { text?: string }
    if (text.includes('as personal')) asked += 1
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  })
  const params = { id: w.office.id }
  const type = async () => {
    w.clock.advance(3000)
    await alice.call(sendTyping, { params })
  }
  for (let n = 1; n <= 3; n += 1) {
    await type()
    await bobHears.until(() => told(bobHears.heard, 'typing.started').length === n)
  }
  assert.equal(asked, 1)
  assert.deepEqual(told(adminHears.heard, 'typing.started'), [])
  await w.alice.call(addChatMembers, { params, body: { member_ids: [w.admin.id] } })
  await w.drain()
  await adminHears.until(({ event }) => event === 'chat_members.added')
  await type()
  await adminHears.until(({ event }) => event === 'typing.started')
})

test('presence is known in every process, and a process that dies is forgotten', async (t) => {
  const w = await world(t)
  const bell = await openBell(fixedPrimary(w.ctx.config.database_url as string), w.ctx.pool, assert.ifError)
  const alice = await w.as(w.alice.id, { session: true })
  const hears = await listenLive(t, w, alice)
  const seen: string[] = []
  let wake = () => {}
  const there = createPresence({ bell, clock: w.clock, resets: w.ctx.resets }, ({ user_id, presence }) => {
    seen.push(`${user_id} ${presence}`)
    wake()
  })
  t.after(async () => {
    there.close()
    await bell.close()
  })
  while (seen.length === 0) await new Promise<void>((resolve) => (wake = resolve))
  assert.deepEqual(seen, [`${w.alice.id} active`])
  there.joined({ ...({} as Parameters<typeof there.joined>[0]), user_id: w.bob.id, token_id: 1 })
  await hears.until(isPresence(w.bob.id, 'active'))
  there.close()
  w.clock.advance(60_000)
  assert.deepEqual((await alice.call(listPresence)).data, [{ user_id: w.alice.id, presence: 'active' }])
  await hears.until(isPresence(w.bob.id, 'offline'))
})

test('a page that is loaded again is not seen leaving', async (t) => {
  const w = await world(t)
  const [alice, bob] = [await w.as(w.alice.id, { session: true }), await w.as(w.bob.id, { session: true })]
  const hears = await listenLive(t, w, alice)
  const page = await listenLive(t, w, bob)
  await hears.until(isPresence(w.bob.id, 'active'))
  w.clock.freeze(true)
  page.close()
  w.clock.advance(5000)
  const again = await listenLive(t, w, bob)
  w.clock.advance(60_000)
  const { data } = await alice.call(listPresence)
  assert.ok(data.some(({ user_id }) => user_id === w.bob.id))
  again.close()
  do {
    w.clock.advance(10_000)
    await alice.call(listPresence)
  } while (!hears.heard.some(isPresence(w.bob.id, 'offline')))
  assert.deepEqual(
    told(hears.heard, 'presence.changed').filter((one) => 'user_id' in one && one.user_id === w.bob.id),
    [
      { user_id: w.bob.id, presence: 'active' },
      { user_id: w.bob.id, presence: 'offline' },
    ],
  )
})
