import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import {
  addChatMembers,
  addReaction,
  createMessage,
  createThread,
  deleteMessage,
  type LiveReady,
  listTimeline,
  markChatRead,
  openLive,
  updateChat,
  updateMessage,
} from '@parley/contract'
import { sql } from 'kysely'
import { join } from '../testing/join.js'
import { world } from '../testing/world.js'
import { contentsOf, type Heard, listenLive, says, session } from './testing-live.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})

/** What a server that stops gives connections which are in use. */
const GRACE_MS = 10_000

/** What has a position, without what happens in passing. */
const stored = (heard: Heard[]) => heard.filter(({ id }) => !Number.isNaN(id))

test('members hear what is said in their chats and threads, others do not', async (t) => {
  const w = await world(t, { working: true })
  const { alice, bob, admin, office, news } = w
  const bobHears = await listenLive(t, w, await session(w, bob))
  const adminHears = await listenLive(t, w, await session(w, admin))
  const { data } = await alice.call(createMessage, saying(office.id, 'inside'))
  await bob.call(addReaction, { params: { id: data.id }, body: { code: '👍' } })
  const { data: thread } = await alice.call(createThread, { params: { id: data.id } })
  await alice.call(createMessage, saying(thread.id, 'a comment', { entity_type: 'thread' }))
  await alice.call(createMessage, saying(news.id, 'open, but nobody joined'))
  await alice.call(createMessage, saying(bob.id, 'to bob', { entity_type: 'user' }))
  await alice.call(createMessage, saying(admin.id, 'to admin', { entity_type: 'user' }))
  const heard = stored(await bobHears.until(says('to bob')))
  assert.deepEqual(
    heard.map(({ event }) => event),
    [
      'ready',
      'message.created',
      'reaction.created',
      'thread.created',
      'chat_members.added',
      'message.created',
      'message.created',
    ],
  )
  const ids = heard.map(({ id }) => id)
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => a - b),
  )
  const personal = heard.at(-1)?.data
  assert.ok(personal?.type === 'message.created')
  assert.deepEqual([personal.payload.entity_type, personal.payload.entity_id], ['user', alice.id])
  const elsewhere = stored(await adminHears.until(says('to admin')))
  assert.deepEqual(
    elsewhere.map(({ event }) => event),
    ['ready', 'message.created'],
  )
})

test('a frame shows the message as its receiver sees it, and the sender the key of its own', async (t) => {
  const w = await world(t, { working: true })
  const { alice, bob, office } = w
  const hears = {
    alice: await listenLive(t, w, await session(w, alice)),
    bob: await listenLive(t, w, await session(w, bob)),
  }
  const ready = hears.bob.heard[0]?.data as unknown as LiveReady
  assert.equal(ready.position, String(hears.bob.heard[0]?.id))
  assert.match(ready.version, /^\d+\.\d+/)
  const { data } = await alice.call(createMessage, {
    ...saying(office.id, 'hi @bob'),
    idempotency_key: 'key-1',
  })
  await bob.call(addReaction, { params: { id: data.id }, body: { code: '👍' } })
  const { data: personal } = await alice.call(createMessage, saying(bob.id, 'mark', { entity_type: 'user' }))
  const seen = async (name: 'alice' | 'bob') => {
    const heard = await hears[name].until(says('mark'))
    const frame = (event: string) => heard.find((one) => one.event === event)?.data
    return { created: frame('message.created'), reacted: frame('reaction.created'), last: heard.at(-1)?.data }
  }
  const forAlice = await seen('alice')
  const forBob = await seen('bob')
  assert.deepEqual([forAlice.created?.client_key, forBob.created?.client_key], ['key-1', undefined])
  assert.equal('client_key' in (forBob.created?.payload ?? {}), false)
  assert.deepEqual([forAlice.created?.message?.mentioned, forBob.created?.message?.mentioned], [false, true])
  assert.deepEqual(
    [forAlice.reacted?.message?.reactions[0]?.mine, forBob.reacted?.message?.reactions[0]?.mine],
    [false, true],
  )
  assert.deepEqual([forAlice.last?.message?.entity_id, forBob.last?.message?.entity_id], [bob.id, alice.id])
  const web = await session(w, bob)
  const { data: page } = await web.call(listTimeline, { params: { id: personal.chat_id } })
  assert.deepEqual(forBob.last?.message, page[0])
})

test('a changed chat comes with its card, and so does one that was joined or read', async (t) => {
  const w = await world(t, { working: true })
  const { alice, bob, admin, office } = w
  const bobHears = await listenLive(t, w, await session(w, bob))
  const adminHears = await listenLive(t, w, await session(w, admin))
  await alice.call(updateChat, { params: { id: office.id }, body: { chat: { name: 'bureau' } } })
  await alice.call(addChatMembers, { params: { id: office.id }, body: { member_ids: [admin.id] } })
  const { data } = await alice.call(createMessage, saying(office.id, 'one'))
  await (await session(w, bob)).call(markChatRead, {
    params: { id: office.id },
    body: { message_id: data.id },
  })
  const cardIn = (heard: Heard[], event: string) => heard.find((one) => one.event === event)?.data.chat
  const heard = await bobHears.until(({ event }) => event === 'read.moved')
  const changed = cardIn(heard, 'chat.updated')
  assert.deepEqual([changed?.name, changed?.my_role], ['bureau', 'member'])
  assert.equal(cardIn(heard, 'chat_members.added'), undefined)
  // Who comes is known to those who cannot ask for everybody.
  const newcomers = heard.find(({ event }) => event === 'chat_members.added')?.data.people
  assert.deepEqual(
    newcomers?.map(({ id }) => id),
    [admin.id],
  )
  assert.equal(cardIn(heard, 'read.moved')?.unread_count, 0)
  const joined = cardIn(await adminHears.until(says('one')), 'chat_members.added')
  assert.deepEqual([joined?.id, joined?.my_role, joined?.members_count], [office.id, 'admin', 5])
})

test('a connection that comes back goes on where it ended, and misses nothing', async (t) => {
  const w = await world(t, { working: true })
  const { alice, bob, office } = w
  const web = await session(w, bob)
  const first = await listenLive(t, w, web)
  await alice.call(createMessage, saying(office.id, 'one'))
  const before = await first.until(says('one'))
  first.close()
  await first.done
  const missed = Array.from({ length: 30 }, (_, index) => `missed ${index}`)
  for (const content of missed) await alice.call(createMessage, saying(office.id, content))
  const second = await listenLive(t, w, web, before.at(-1)?.id)
  await alice.call(createMessage, saying(office.id, 'last'))
  const heard = await second.until(says('last'))
  const contents = contentsOf(heard)
  assert.deepEqual(contents, [...missed, 'last'])
})

test('a connection that opens while others are told hears what they are told', async (t) => {
  const w = await world(t, { working: true })
  const { alice, bob, office, ctx } = w
  const first = await listenLive(t, w, await session(w, alice))
  const position = first.heard.at(0)?.id
  const bobsSession = await session(w, bob)
  const blocked = sql<{ count: number }>`
    select count(*)::int as count from pg_locks where not granted and relation = 'reactions'::regclass
      and database = (select oid from pg_database where datname = current_database())`
  let late: Awaited<ReturnType<typeof listenLive>> | undefined
  await ctx.autocommit.transaction().execute(async (tx) => {
    await sql`lock table reactions in access exclusive mode`.execute(tx)
    await alice.call(createMessage, saying(office.id, 'while somebody joins'))
    while ((await blocked.execute(tx)).rows[0]?.count === 0);
    late = await listenLive(t, w, bobsSession, position)
  })
  await first.until(says('while somebody joins'))
  await alice.call(createMessage, saying(office.id, 'afterwards'))
  assert.deepEqual(contentsOf((await late?.until(says('afterwards'))) ?? []), [
    'while somebody joins',
    'afterwards',
  ])
})

test('a position that is no longer kept, or never was, asks for a fresh start', async (t) => {
  const w = await world(t)
  const { alice, bob, office, ctx, drain } = w
  const web = await session(w, bob)
  for (const content of ['one', 'two', 'three']) await alice.call(createMessage, saying(office.id, content))
  await drain()
  await ctx.db.deleteFrom('events').where('position', '<', 3).execute()
  const old = await listenLive(t, w, web, 1)
  assert.equal(old.heard[0]?.event, 'reset')
  const future = await listenLive(t, w, web, 4000)
  assert.equal(future.heard[0]?.event, 'reset')
  const kept = await listenLive(t, w, web, 2)
  assert.equal(kept.heard[0]?.event, 'ready')
  await kept.until(says('three'))
  const refused = await fetch(`${w.url}/v1/live`, {
    headers: { Authorization: `Bearer ${web.token}`, 'Last-Event-ID': 'soon' },
  })
  assert.equal(refused.status, 400)
})

test('a replay tells no text that was deleted or edited away', async (t) => {
  const w = await world(t)
  const { alice, bob, office, drain } = w
  const { data: deleted } = await alice.call(createMessage, saying(office.id, 'first secret'))
  const { data: edited } = await alice.call(createMessage, saying(office.id, 'second secret'))
  await drain()
  await alice.call(deleteMessage, { params: { id: deleted.id } })
  await alice.call(updateMessage, { params: { id: edited.id }, body: { message: { content: 'harmless' } } })
  await alice.call(createMessage, saying(office.id, 'mark'))
  await drain()
  const replay = await listenLive(t, w, await session(w, bob), 0)
  const told = (await replay.until(says('mark'))).slice(1).map(({ event, data }) => {
    assert.ok('content' in data.payload)
    const { message_id, content, user_id } = data.payload
    return [event, message_id, content, user_id]
  })
  assert.deepEqual(told.slice(0, -1), [
    ['message.deleted', deleted.id, '', alice.id],
    ['message.created', edited.id, 'harmless', alice.id],
    ['message.deleted', deleted.id, '', alice.id],
    ['message.updated', edited.id, 'harmless', alice.id],
  ])
})

test('joining and leaving take effect at once', async (t) => {
  const w = await world(t)
  const { alice, admin, office, ctx, drain } = w
  const hears = await listenLive(t, w, await session(w, admin))
  const aliceHears = await listenLive(t, w, await session(w, alice))
  /** Until it was told to those who may hear it. */
  const say = async (content: string) => {
    await alice.call(createMessage, saying(office.id, content))
    await drain()
    await aliceHears.until(says(content))
  }
  await say('before')
  await join(w, office, admin, 'admin')
  await say('inside')
  await hears.until(says('inside'))
  await ctx.db
    .deleteFrom('chat_members')
    .where('chat_id', '=', office.id)
    .where('user_id', '=', admin.id)
    .execute()
  await say('after')
  await alice.call(createMessage, saying(admin.id, 'mark', { entity_type: 'user' }))
  await drain()
  const contents = contentsOf(await hears.until(says('mark')))
  assert.deepEqual(contents, ['inside', 'mark'])
})

test('how far somebody has read is told to that person, and in a personal chat to the other', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, office, drain } = w
  const webs = { alice: await session(w, alice), bob: await session(w, bob) }
  const hears = { alice: await listenLive(t, w, webs.alice), bob: await listenLive(t, w, webs.bob) }
  const { data: group } = await mia.call(createMessage, saying(office.id, 'group'))
  await webs.bob.call(markChatRead, { params: { id: office.id }, body: { message_id: group.id } })
  const { data: personal } = await alice.call(createMessage, saying(bob.id, 'psst', { entity_type: 'user' }))
  await webs.bob.call(markChatRead, {
    params: { id: personal.chat_id },
    body: { message_id: personal.id },
  })
  await alice.call(createMessage, saying(office.id, 'mark'))
  await drain()
  const moves = (heard: Heard[]) =>
    heard.filter(({ event }) => event === 'read.moved').map(({ data }) => data.chat_id)
  assert.deepEqual(moves(await hears.bob.until(says('mark'))), [office.id, personal.chat_id])
  assert.deepEqual(moves(await hears.alice.until(says('mark'))), [personal.chat_id])
})

test('a stream ends with its token, and tells nothing that happened after', async (t) => {
  const w = await world(t)
  const { alice, bob, office, ctx, drain } = w
  const web = await session(w, bob)
  const hears = await listenLive(t, w, web)
  await ctx.db.deleteFrom('tokens').where('user_id', '=', bob.id).execute()
  await alice.call(createMessage, saying(office.id, 'after'))
  await drain()
  await hears.done
  assert.deepEqual(
    hears.heard.map(({ event }) => event),
    ['ready'],
  )
})

test('while no rights change, the token of a stream is not looked at for each event', async (t) => {
  const w = await world(t)
  const { alice, bob, office, ctx, drain } = w
  const bobs = await listenLive(t, w, bob)
  const say = async (content: string) => {
    await alice.call(createMessage, saying(office.id, content))
    await drain()
    await bobs.until(says(content))
  }
  await say('first')
  let looked = 0
  const { identify } = ctx.admission
  t.mock.method(ctx.admission, 'identify', (...args: Parameters<typeof identify>) => {
    if (args[0] === bob.token) looked += 1
    return identify(...args)
  })
  const texts = ['a', 'b', 'c', 'd', 'e', 'f']
  const began = performance.now()
  for (const text of texts) await say(text)
  // Every five seconds it is looked at anyway.
  const anyway = Math.ceil((performance.now() - began) / 5000)
  assert.ok(looked <= anyway, `${looked} times, ${anyway} of them anyway`)
})

test('bots do not listen', async (t) => {
  const { bot } = await world(t)
  await assert.rejects(bot.call(openLive), { status: 403 })
})

test('a server that stops ends its streams, and connections that nothing was sent on, at once', async (t) => {
  const w = await world(t)
  const hears = await listenLive(t, w, await session(w, w.bob))
  const unused = connect(Number(new URL(w.url).port), '127.0.0.1')
  t.after(() => unused.destroy())
  await once(unused, 'connect')
  const start = performance.now()
  await Promise.all([w.server.stop(), hears.done])
  assert.ok(performance.now() - start < GRACE_MS)
})

/** Sends requests by hand on one connection, and reads until the answer holds a text. */
async function readRaw(url: string, requests: string, until: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.setEncoding('utf8').write(requests)
  let text = ''
  for await (const part of socket) {
    text += part
    if (text.includes(until)) break
  }
  return text
}

test('a stream is whole for old clients, and behind another request of its connection', async (t) => {
  const w = await world(t)
  const { token } = await session(w, w.bob)
  const get = (path: string, version: string) =>
    `GET /v1${path} HTTP/${version}\r\nHost: parley\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const old = await readRaw(w.server.url, get('/live', '1.0'), '\n\n')
  assert.match(old, /\r\n\r\nid: \d+\nevent: ready\n/)
  const behind = await readRaw(w.server.url, get('/profile', '1.1') + get('/live', '1.1'), 'event: ready')
  assert.match(
    behind,
    /HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 [\s\S]*\r\n\r\n[0-9a-f]+\r\nid: \d+\nevent: ready\n/,
  )
})
