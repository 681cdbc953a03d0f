import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as api from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { createOutbound } from '../platform/outbound/outbound.js'
import { DAY_MS } from '../platform/time.js'
import { type Person, type World, world } from '../testing/world.js'
import { type Browser, startPushService } from './testing-push.js'

/** Push services are addresses that anybody may name: loopback, where that of these tests is, must be allowed. */
function allowLoopback(t: TestContext, { ctx }: World) {
  const usual = ctx.outbound_public
  ctx.outbound_public = createOutbound({ allow: ['127.0.0.1'], allowLoopback: false })
  t.after(async () => {
    await ctx.outbound_public.close()
    ctx.outbound_public = usual
  })
}

async function setUp(t: TestContext) {
  const scene = await world(t)
  const service = await startPushService(t)
  const { clock, drain, as } = scene
  // At noon, as quiet hours leave out the last minute of a day; and stopped, as messages wait three seconds to be read.
  clock.freeze(true)
  clock.advance(DAY_MS - ((clock.now() + DAY_MS / 2) % DAY_MS))
  allowLoopback(t, scene)
  return {
    ...scene,
    service,
    /** A session with a browser that gets pushes. */
    async device(person: Person) {
      const session = await as(person.id, { session: true })
      const browser = service.browser()
      const { subscription } = browser
      const { data } = await session.call(api.addPushSubscription, { body: { subscription } })
      return { session, browser, id: data.id }
    },
    say: async (who: Person, content: string, entity_id: number, entity_type?: 'user' | 'thread') =>
      (await who.call(api.createMessage, { body: { message: { entity_id, content, entity_type } } })).data,
    /** What is due at once, then what waits for people to read. */
    async settle() {
      await drain()
      clock.advance(3_000)
      await drain()
    },
  }
}

const SOON_MS = 60_000
const ALWAYS_QUIET = { quiet_hours: { from: '00:00', to: '23:59' } }

const texts = ({ received }: Browser) =>
  received.map(({ push }) => (push.type === 'message' ? push.text : push.type))

test('a message that names a person is pushed to each of their browsers, encrypted and signed', async (t) => {
  const { alice, bob, mia, office, device, say, settle } = await setUp(t)
  const [first, second] = [await device(bob), await device(bob)]
  const other = await device(mia)
  await say(alice, 'nothing for you', office.id)
  const message = await say(alice, 'look, @bob', office.id)
  await settle()
  for (const { browser } of [first, second])
    assert.deepEqual(
      browser.received.map(({ push }) => push),
      [
        {
          type: 'message',
          chat_id: office.id,
          message_id: message.id,
          path: `/chats/${office.id}?message=${message.id}`,
          author: 'Alice',
          chat: 'office',
          text: 'look, @bob',
          file_names: null,
          silent: false,
        },
      ],
    )
  assert.deepEqual(texts(other.browser), [])
  const { headers } = first.browser.received[0] as Browser['received'][number]
  const { data } = await first.session.call(api.getPushKey)
  assert.match(headers.authorization ?? '', new RegExp(`^vapid t=.+, k=${data.public_key}$`))
  assert.equal(headers['content-encoding'], 'aes128gcm')
  assert.equal(headers.topic, `chat-${office.id}`)
  const { data: list } = await first.session.call(api.listPushSubscriptions)
  assert.deepEqual(
    list.map(({ id, current, last_sent_at }) => [id, current, last_sent_at !== null]),
    [
      [second.id, false, true],
      [first.id, true, true],
    ],
  )
})

test('personal messages, threads and keywords are told as the person set it', async (t) => {
  const { alice, bob, office, device, say, settle } = await setUp(t)
  const { session, browser } = await device(bob)
  const set = (notifications: api.NotificationSettingsUpdate) =>
    session.call(api.updateNotificationSettings, { body: { notifications } })
  await set({ keywords: ['deploy'], sound: false })
  await say(alice, 'the Deploy is done', office.id)
  await settle()
  assert.deepEqual(texts(browser), ['the Deploy is done'])
  browser.received.length = 0
  await say(alice, 'psst', bob.id, 'user')
  const { data: root } = await bob.call(api.createMessage, {
    body: { message: { entity_id: office.id, content: 'root' } },
  })
  const { data: thread } = await bob.call(api.createThread, { params: { id: root.id } })
  await say(alice, 'a reply', thread.id, 'thread')
  await settle()
  assert.deepEqual(texts(browser).sort(), ['a reply', 'close', 'psst'], 'who writes in a chat has read it')
  assert.ok(browser.received.every(({ push }) => push.type !== 'message' || push.silent))
  const reply = browser.received.find(({ push }) => push.type === 'message' && push.text === 'a reply')
  assert.equal(reply?.push.type === 'message' && reply.push.path, `/chats/${office.id}?thread=${thread.id}`)

  browser.received.length = 0
  await session.call(api.setChatNotifications, {
    params: { id: office.id },
    body: { level: null, muted_until: '2100-01-01T00:00:00Z' },
  })
  await say(alice, '@bob muted', office.id)
  await say(alice, 'muted with its chat', thread.id, 'thread')
  await set(ALWAYS_QUIET)
  await say(alice, 'hush', bob.id, 'user')
  await settle()
  assert.deepEqual(texts(browser), [])
})

test('what is read, deleted or out of reach before the sending is not sent', async (t) => {
  const { alice, bob, mia, office, device, say, settle, drain, clock, as } = await setUp(t)
  const { session, browser } = await device(bob)
  const read = await say(alice, '@bob read at once', office.id)
  await drain()
  await session.call(api.markChatRead, { params: { id: office.id }, body: { message_id: read.id } })
  await settle()
  assert.deepEqual(texts(browser), [])

  const gone = await say(alice, '@bob never mind', office.id)
  await drain()
  await alice.call(api.deleteMessage, { params: { id: gone.id } })
  await settle()
  assert.deepEqual(texts(browser), [])

  const guest = await device(mia)
  await say(alice, '@all farewell', office.id)
  await drain()
  await alice.call(api.removeChatMember, { params: { id: office.id, user_id: mia.id } })
  clock.advance(3_000)
  await drain()
  assert.deepEqual([texts(browser), texts(guest.browser)], [['@all farewell'], []])

  await say(alice, '@bob one more', office.id)
  await drain()
  const other = await as(bob.id, { session: true })
  await other.call(api.endOtherSessions)
  await settle()
  assert.deepEqual(texts(browser), ['@all farewell'], 'a browser ends with its session')
  assert.deepEqual((await other.call(api.listPushSubscriptions)).data, [])
})

test('what is read on one device goes away on the others, and so does what is deleted', async (t) => {
  const { alice, bob, office, device, say, settle } = await setUp(t)
  const { session } = await device(bob)
  const { browser } = await device(bob)
  const message = await say(alice, '@bob hello', office.id)
  await settle()
  await session.call(api.markChatRead, { params: { id: office.id }, body: { message_id: message.id } })
  await settle()
  assert.deepEqual(browser.received.at(-1)?.push, {
    type: 'close',
    chat_id: office.id,
    message_id: message.id,
  })
  const deleted = await say(alice, '@bob oops', office.id)
  await settle()
  await alice.call(api.deleteMessage, { params: { id: deleted.id } })
  await settle()
  assert.deepEqual(texts(browser), ['@bob hello', 'close', '@bob oops', 'close'])
  await session.call(api.markAllRead)
  await settle()
  assert.equal(browser.received.length, 4, 'nothing is shown any more')
})

test('a due task is pushed to its performer, and goes away everywhere once it is read', async (t) => {
  const { alice, clock, device, drain, settle, office } = await setUp(t)
  const [{ session, browser }, other] = [await device(alice), await device(alice)]
  const dueSoon = async () => {
    const due_at = new Date(clock.now() + SOON_MS).toISOString()
    const task = { kind: 'call' as const, due_at, chat_id: office.id }
    const { data } = await alice.call(api.createTask, { body: { task } })
    clock.advance(SOON_MS)
    return data.id
  }
  const task_id = await dueSoon()
  await settle()
  const [notice] = (await session.call(api.listNotices)).data
  const notice_id = notice?.id as number
  const expected = {
    type: 'notice',
    notice_id,
    kind: 'task.due',
    text: 'Call',
    path: `/tasks?task=${task_id}`,
    language: null,
    silent: false,
  }
  for (const { received } of [browser, other.browser])
    assert.deepEqual(
      received.map(({ push }) => push),
      [expected],
    )
  await session.call(api.readNotices, { body: { notice_id } })
  await settle()
  const closed = { type: 'close_notices', notice_ids: [notice_id] }
  for (const { received } of [browser, other.browser]) assert.deepEqual(received.at(-1)?.push, closed)

  await dueSoon()
  await drain()
  const [seen] = (await session.call(api.listNotices)).data
  await session.call(api.readNotices, { body: { notice_id: seen?.id as number } })
  await settle()
  assert.equal(browser.received.length, 2, 'read in an open client at once')

  const params = { id: office.id }
  await session.call(api.setChatNotifications, {
    params,
    body: { level: null, muted_until: '2100-01-01T00:00:00Z' },
  })
  await dueSoon()
  await settle()
  await session.call(api.setChatNotifications, { params, body: { level: null, muted_until: null } })
  for (const notifications of [ALWAYS_QUIET, { quiet_hours: null, level: 'nothing' as const }]) {
    await session.call(api.updateNotificationSettings, { body: { notifications } })
    await dueSoon()
    await settle()
  }
  assert.equal(browser.received.length, 2, 'muted, in quiet hours, nothing wanted')
})

test('a request for approval is pushed, and goes away on every device when it is answered', async (t) => {
  const { bob, office, device, settle, events, url } = await setUp(t)
  const { session, browser } = await device(bob)
  const { data } = await session.call(api.createPersonalToken, {
    body: { name: 'program', scopes: ['messages:create'], limits: { approval: 'writes' } },
  })
  const program = createClient({ base_url: `${url}/v1`, token: data.access_token })
  const body = { message: { entity_id: office.id, content: 'please' } }
  await assert.rejects(program.call(api.createMessage, { body }), { status: 403 })
  await settle()
  const [asked] = (await session.call(api.listApprovals)).data
  const [{ push } = { push: undefined }] = browser.received
  assert.ok(push?.type === 'notice')
  assert.deepEqual([push.kind, push.path], ['token.approval', '/settings/approvals'])
  const params = { id: asked?.id as number }
  await session.call(api.decideApproval, { params, body: { approved: true } })
  await settle()
  const { notice_id } = push
  assert.deepEqual(browser.received.at(-1)?.push, { type: 'close_notices', notice_ids: [notice_id] })
  assert.deepEqual((await session.call(api.listNotices, { query: { state: 'unread' } })).data, [])
  const read = (await events()).find(({ type }) => type === 'notices.read')
  assert.deepEqual(read?.payload, { user_id: bob.id, notice_ids: [notice_id], notices_unread: 0 })
})

test('a push service that fails is asked again, and one that says gone is not', async (t) => {
  const { alice, bob, office, device, say, settle, clock, drain } = await setUp(t)
  const { session, browser } = await device(bob)
  browser.answers.push(503, 429)
  await say(alice, '@bob again', office.id)
  await settle()
  assert.deepEqual(texts(browser), [])
  clock.advance(5_000)
  await drain()
  assert.deepEqual(texts(browser), [])
  clock.advance(30_000)
  await drain()
  assert.deepEqual(texts(browser), ['@bob again'])
  const { data: trial } = await session.call(api.sendTestPush, {
    params: { id: (await subscriptionOf(session)).id },
  })
  assert.deepEqual([trial.status, trial.accepted, trial.error], [201, true, null])
  assert.deepEqual(browser.received.at(-1)?.push, { type: 'test', nonce: trial.nonce })

  browser.answers.push(410)
  await say(alice, '@bob gone', office.id)
  await settle()
  assert.deepEqual((await session.call(api.listPushSubscriptions)).data, [])
})

async function subscriptionOf(session: Person) {
  const { data } = await session.call(api.listPushSubscriptions)
  return data[0] as api.PushSubscription
}

test('a subscription names a reachable address and real keys, and belongs to a session', async (t) => {
  const { bob, as } = await world(t)
  const service = await startPushService(t)
  const session = await as(bob.id, { session: true })
  const { subscription } = service.browser()
  const { keys } = subscription
  const add = (given: typeof subscription) =>
    session.call(api.addPushSubscription, { body: { subscription: given } })
  const refused = { status: 422, code: 'invalid' }
  await assert.rejects(add(subscription), refused, 'loopback')
  await assert.rejects(add({ ...subscription, endpoint: 'http://10.0.0.1/push' }), refused)
  const endpoint = 'https://push.example.org/one'
  await assert.rejects(add({ endpoint, keys: { ...keys, p256dh: 'AAAA' } }), refused)
  await assert.rejects(add({ endpoint, keys: { ...keys, auth: 'AAAA' } }), refused)
  const { data } = await add({ endpoint, keys })
  assert.equal(data.push_service, 'push.example.org')
  await add({ endpoint: 'https://push.example.org/two', keys })
  assert.equal((await session.call(api.listPushSubscriptions)).data.length, 1)
  const { id } = await subscriptionOf(session)
  const stranger = await as(bob.id, { session: true })
  await stranger.call(api.removePushSubscription, { params: { id } })
  await assert.rejects(session.call(api.removePushSubscription, { params: { id } }), { status: 404 })
  await assert.rejects(bob.call(api.listPushSubscriptions), { status: 403 })
})
