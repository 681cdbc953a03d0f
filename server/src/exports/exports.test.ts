import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  addReaction,
  createMessage,
  createThread,
  deleteMessage,
  downloadExport,
  type ExportChat,
  type ExportMessage,
  getWorkspaceSettings,
  listExports,
  orderExport,
} from '@parley/contract'
import type { ApiFailure } from '@parley/sdk/contract'
import { outboxFolder } from '../open-context.js'
import { createOutboxMail } from '../platform/mail/outbox.js'
import { join } from '../testing/join.js'
import { startReceiver } from '../testing/receiver.js'
import { type World, world } from '../testing/world.js'
import { unzip } from './testing-unzip.js'

const DAY_MS = 24 * 3_600_000
const PERIOD = { start_at: '2030-02-01', end_at: '2030-02-28' }

/** A world on the third of February 2030. */
async function february(t: Parameters<typeof world>[0]) {
  const stage = await world(t)
  stage.clock.freeze(true)
  stage.clock.advance(Date.parse('2030-02-03T10:00:00.000Z') - stage.clock.now())
  return stage
}

async function download({ owner, url }: World, id: number): Promise<Response> {
  const headers = { authorization: `Bearer ${owner.token}` }
  const answer = await fetch(`${url}/v1/chats/exports/${id}`, { headers, redirect: 'manual' })
  assert.equal(answer.status, 302, await answer.text())
  return fetch(answer.headers.get('location') as string)
}

async function archive(stage: World, id: number) {
  const answer = await download(stage, id)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/zip')
  assert.match(answer.headers.get('content-disposition') ?? '', /attachment.*\.zip/)
  return unzip(Buffer.from(await answer.arrayBuffer()))
}

/** Orders an export and gives its id once it is done. */
async function exported(stage: World, order: object = {}) {
  await stage.owner.call(orderExport, { body: { ...PERIOD, ...order } })
  await stage.drain()
  const { id } = await stage.ctx.db
    .selectFrom('exports')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

const saying = (entity_id: number, content: string) => ({ body: { message: { entity_id, content } } })

test('an archive has a folder for each chat, a file for each day, and the chats', async (t) => {
  const stage = await february(t)
  const { alice, bob, bot, office, news, clock, ctx } = stage
  await ctx.db.updateTable('chats').set({ name: 'a/b\\c\u0007:*?"<>|' }).where('id', '=', news.id).execute()
  const { data: first } = await alice.call(createMessage, saying(office.id, 'first\n"quoted" – ü'))
  await bob.call(addReaction, { params: { id: first.id }, body: { code: '👍' } })
  const { data: thread } = await bob.call(createThread, { params: { id: first.id } })
  const comment = { entity_type: 'thread' as const, entity_id: thread.id, content: 'comment' }
  const { data: inside } = await bob.call(createMessage, { body: { message: comment } })
  const { data: gone } = await bot.call(createMessage, saying(office.id, 'gone'))
  await bot.call(deleteMessage, { params: { id: gone.id } })
  const personal = { entity_type: 'user' as const, entity_id: bob.id, content: 'between us' }
  const { data: whisper } = await alice.call(createMessage, { body: { message: personal } })
  clock.advance(2 * DAY_MS)
  await alice.call(createMessage, saying(office.id, 'second'))
  await alice.call(createMessage, saying(news.id, 'news'))

  const files = await archive(stage, await exported(stage))
  const folder = `office_${office.id}`
  const days = (chat: string) => [...files.keys()].filter((name) => name.startsWith(chat))
  assert.deepEqual(days(folder), [`${folder}/2030-02-03.json`, `${folder}/2030-02-05.json`])
  assert.deepEqual(days('a_b_c_'), [`a_b_c_${'_'.repeat(8)}${news.id}/2030-02-05.json`])
  assert.deepEqual(days('Alice-Bob_'), [`Alice-Bob_${whisper.chat_id}/2030-02-03.json`])

  const text = files.get(`${folder}/2030-02-03.json`) ?? ''
  const messages = JSON.parse(text) as ExportMessage[]
  assert.equal(text, `${JSON.stringify(messages, null, 2)}\n`)
  assert.deepEqual(
    messages.map(({ id }) => id),
    [first.id, inside.id, gone.id],
  )
  const person = (id: number, name: string) => ({
    id,
    role: 'member',
    name,
    last_name: '',
    email: `${name.toLowerCase()}@example.org`,
    tags: [],
  })
  assert.deepEqual(messages[0], {
    id: first.id,
    created_at: '2030-02-03T10:00:00.000Z',
    deleted_at: null,
    content: 'first\n"quoted" – ü',
    thread_id: thread.id,
    reactions: [{ user_id: bob.id, created_at: '2030-02-03T10:00:00.000Z', code: '👍' }],
    user: person(alice.id, 'Alice'),
    chat: { id: office.id, name: 'office', personal: false, owner: person(alice.id, 'Alice'), tags: [] },
    thread: null,
  })
  assert.deepEqual(messages[1]?.thread, {
    id: thread.id,
    message_id: first.id,
    message_chat_id: String(office.id),
  })
  assert.equal(messages[1]?.chat?.id, office.id)
  assert.deepEqual([messages[2]?.content, messages[2]?.user?.role], ['', 'bot'])
  assert.ok(messages[2]?.deleted_at)

  const [secret] = JSON.parse(files.get(`Alice-Bob_${whisper.chat_id}/2030-02-03.json`) ?? '[]')
  assert.deepEqual([secret.content, secret.user.id, secret.chat.personal], ['', alice.id, true])

  const chats = JSON.parse(files.get('chats.json') ?? '[]') as ExportChat[]
  assert.deepEqual(
    chats.map(({ id }) => id),
    [office.id, news.id, whisper.chat_id],
  )
  assert.equal(chats[0]?.members?.length, 4)
  assert.deepEqual(chats[0]?.members?.[0], { id: alice.id, role: 'owner' })
})

test('an order may choose chats and leave out their list', async (t) => {
  const stage = await february(t)
  const { alice, office, news, attic, clock } = stage
  await alice.call(createMessage, saying(office.id, 'office'))
  await alice.call(createMessage, saying(news.id, 'news'))
  const chosen = await archive(stage, await exported(stage, { chat_ids: [news.id, attic.id, news.id] }))
  assert.deepEqual([...chosen.keys()], [`news_${news.id}/2030-02-03.json`, 'chats.json'])
  const listed = JSON.parse(chosen.get('chats.json') ?? '[]') as ExportChat[]
  assert.deepEqual(
    listed.map(({ id }) => id),
    [attic.id, news.id],
  )
  clock.advance(90_000)
  const bare = await archive(stage, await exported(stage, { skip_chats_file: true, chat_ids: [office.id] }))
  assert.deepEqual([...bare.keys()], [`office_${office.id}/2030-02-03.json`])
  clock.advance(90_000)
  const empty = await archive(stage, await exported(stage, { start_at: '2029-01-01', end_at: '2029-01-02' }))
  assert.deepEqual([...empty], [['chats.json', '[]\n']])
})

test('threads of personal chats stay out, and a thread of its own has a folder of its own', async (t) => {
  const stage = await february(t)
  const { alice, bob, ctx } = stage
  const message = { entity_type: 'user' as const, entity_id: bob.id, content: 'psst' }
  const { data: whisper } = await alice.call(createMessage, { body: { message } })
  const { data: thread } = await alice.call(createThread, { params: { id: whisper.id } })
  const comment = { entity_type: 'thread' as const, entity_id: thread.id, content: 'comment' }
  await bob.call(createMessage, { body: { message: comment } })
  const at = new Date(stage.clock.now())
  const own = await ctx.db
    .insertInto('chats')
    .values({
      kind: 'thread',
      name: '',
      owner_id: bob.id,
      meet_slug: randomUUID(),
      created_at: at,
      last_message_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('threads')
    .values({ chat_id: own.id, creator_id: bob.id, created_at: at, updated_at: at })
    .execute()
  await join(stage, own, bob, 'owner')
  await bob.call(createMessage, saying(own.id, 'alone'))
  const files = await archive(stage, await exported(stage))
  const [secret, ...more] = JSON.parse(files.get(`Alice-Bob_${whisper.chat_id}/2030-02-03.json`) ?? '[]')
  assert.deepEqual([secret.id, more], [whisper.id, []])
  const [alone] = JSON.parse(files.get(`Thread_${own.id}/2030-02-03.json`) ?? '[]')
  assert.equal(alone.content, 'alone')
})

const REFUSALS: [string, object, string, string][] = [
  ['no start', { end_at: '2030-01-01' }, 'blank', 'start_at'],
  ['no end', { start_at: '2030-01-01' }, 'blank', 'end_at'],
  ['a day that is none', { ...PERIOD, start_at: '2030-02-30' }, 'invalid', 'start_at'],
  ['a word', { ...PERIOD, end_at: 'today' }, 'invalid', 'end_at'],
  ['46 days', { start_at: '2030-01-01', end_at: '2030-02-15' }, 'invalid_date_range', 'end_at'],
  [
    'an end before the start',
    { start_at: '2030-01-02', end_at: '2030-01-01' },
    'invalid_date_range',
    'end_at',
  ],
  ['an address of another kind', { ...PERIOD, webhook_url: 'ftp://x' }, 'invalid_webhook_url', 'webhook_url'],
  ['no address at all', { ...PERIOD, webhook_url: 'here' }, 'invalid_webhook_url', 'webhook_url'],
  [
    'an address inside',
    { ...PERIOD, webhook_url: 'http://169.254.169.254/' },
    'invalid_webhook_url',
    'webhook_url',
  ],
  ['51 chats', { ...PERIOD, chat_ids: Array.from({ length: 51 }, (_, id) => id) }, 'too_long', 'chat_ids'],
  ['a chat that is not there', { ...PERIOD, chat_ids: [999_999] }, 'not_found', 'chat_ids'],
]

test('orders that cannot be met are refused, each with its code', async (t) => {
  const { owner, office, clock } = await february(t)
  for (const [name, body, code, key] of REFUSALS) {
    await assert.rejects(
      owner.call(orderExport, { body: body as typeof PERIOD }),
      (error: { status: number; errors: { code: string; key: string }[] }) => {
        assert.deepEqual([error.status, error.errors[0]?.code, error.errors[0]?.key], [422, code, key], name)
        return true
      },
    )
  }
  const fits = [
    { start_at: '2030-01-01', end_at: '2030-02-14' },
    { start_at: '2030-01-01T23:00:00Z', end_at: '2030-01-01T01:00:00Z' },
    { start_at: '2028-01-01', end_at: '2028-12-31', chat_ids: [office.id] },
  ]
  for (const body of fits) {
    await owner.call(orderExport, { body })
    await assert.rejects(owner.call(orderExport, { body }), (error: ApiFailure) => {
      assert.deepEqual([error.status, error.code], [422, 'rate_limit'])
      assert.equal(error.headers.get('retry-after'), '90')
      return true
    })
    clock.advance(90_000)
  }
})

test("exports are the owner's on the plan that has them", async (t) => {
  const { owner, admin, alice, as, ctx } = await february(t)
  const body = PERIOD
  for (const who of [admin, alice]) await assert.rejects(who.call(orderExport, { body }), { status: 403 })
  const session = await as(owner.id, { session: true })
  await assert.rejects(admin.call(listExports, { query: {} }), { status: 403 })
  assert.deepEqual((await session.call(listExports, { query: {} })).data, [])
  await ctx.db.updateTable('workspace').set({ plan: 'standard' }).execute()
  await assert.rejects(owner.call(orderExport, { body }), { status: 403, code: 'not_authorized' })
})

test('only who ordered an export downloads it, for seven days, by links of five minutes', async (t) => {
  const stage = await february(t)
  const { owner, alice, ctx, clock } = stage
  const id = await exported(stage)
  const params = { id }
  assert.equal((await download(stage, id)).status, 200)
  await assert.rejects(owner.call(downloadExport, { params: { id: id + 1 } }), {
    status: 404,
    code: 'export_file_not_found',
  })
  await ctx.db.updateTable('exports').set({ user_id: alice.id }).execute()
  await assert.rejects(owner.call(downloadExport, { params }), { status: 403, code: 'not_authorized' })
  await ctx.db.updateTable('exports').set({ user_id: owner.id }).execute()

  const headers = { authorization: `Bearer ${owner.token}` }
  const answer = await fetch(`${stage.url}/v1/chats/exports/${id}`, { headers, redirect: 'manual' })
  const link = answer.headers.get('location') as string
  clock.advance(5 * 60_000 - 1000)
  assert.equal((await fetch(link)).status, 200)
  clock.advance(2000)
  assert.equal((await fetch(link)).status, 403)

  clock.advance(7 * DAY_MS)
  await stage.drain()
  await assert.rejects(owner.call(downloadExport, { params }), {
    status: 404,
    code: 'export_file_not_found',
  })
  assert.equal(await ctx.storage.stat(`exports/${id}/archive.zip`), undefined)
})

test('who ordered hears of it by mail and in the app, and the address by a webhook', async (t) => {
  const stage = await february(t)
  const { owner, as, ctx, clock, drain, events } = stage
  const hook = await startReceiver((_received, response, count) => {
    response.statusCode = count < 3 ? 500 : 200
    response.end()
  })
  t.after(() => hook.close())
  const id = await exported(stage, { webhook_url: hook.url })
  const notice = {
    type: 'export',
    event: 'ready',
    export_id: id,
    created_at: '2030-02-03T10:00:00Z',
  }
  assert.deepEqual(hook.received, [notice])
  clock.advance(12_000)
  await drain()
  clock.advance(72_000)
  await drain()
  assert.deepEqual(hook.received, [notice, notice, notice])
  clock.advance(DAY_MS)
  await drain()
  assert.equal(hook.received.length, 3)
  // Signed with a secret that the owner finds among the settings.
  const session = await as(owner.id, { session: true })
  const { webhook_secret } = (await session.call(getWorkspaceSettings)).data
  const { headers, raw, body } = hook.requests[0] as (typeof hook.requests)[number]
  assert.equal(headers['webhook-timestamp'], String(body.webhook_timestamp))
  const key = Buffer.from(webhook_secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${signature}`)
  assert.ok(headers['service-signature'])

  const told = (await events()).filter(({ type }) => type === 'notice.created')
  const url = `${ctx.config.app_url}/full_exports/${id}`
  assert.deepEqual(
    told.map(({ payload }) => [payload.user_id, payload.kind, payload.url]),
    [[owner.id, 'export.ready', url]],
  )
  const mails = await createOutboxMail({ folder: outboxFolder(ctx.config), clock }).list()
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.text ?? '', new RegExp(`/full_exports/${id}`))
  const { data } = await session.call(listExports, { query: {} })
  assert.deepEqual([data[0]?.state, data[0]?.days, data[0]?.days_done], ['ready', 28, 28])
})

test('an export that cannot be built ends as failed, says so, and lets the next one begin', async (t) => {
  const stage = await february(t)
  const { owner, alice, as, ctx, clock, drain, events, office } = stage
  await alice.call(createMessage, saying(office.id, 'x'))
  await ctx.pool.query('alter table export_items rename to away')
  await owner.call(orderExport, { body: { ...PERIOD, webhook_url: 'http://127.0.0.1:9/' } })
  clock.advance(90_000)
  await owner.call(orderExport, { body: PERIOD })
  const session = await as(owner.id, { session: true })
  const states = async () => (await session.call(listExports, { query: {} })).data.map(({ state }) => state)
  await drain()
  assert.deepEqual(await states(), ['waiting', 'building'])
  for (const seconds of [1, 10, 60]) {
    clock.advance(seconds * 1000)
    await drain()
  }
  assert.deepEqual(await states(), ['waiting', 'building'])
  const notices = async () =>
    (await events()).filter(({ type }) => type === 'notice.created').map(({ payload }) => payload.kind)
  assert.deepEqual(await notices(), [])
  await ctx.pool.query('alter table away rename to export_items')
  await ctx.pool.query('alter table export_items rename column chat_id to lost')
  clock.advance(300_000)
  await ctx.pool.query('select 1')
  await drain()
  assert.deepEqual((await states()).at(-1), 'failed')
  await ctx.pool.query('alter table export_items rename column lost to chat_id')
  clock.advance(1000)
  await drain()
  clock.advance(60_000)
  await drain()
  assert.deepEqual(await states(), ['ready', 'failed'])
  assert.deepEqual(await notices(), ['export.failed', 'export.ready'])
  const mails = await createOutboxMail({ folder: outboxFolder(ctx.config), clock }).list()
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Your export could not be made', 'Your export is ready'],
  )
})
