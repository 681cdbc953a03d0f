import assert from 'node:assert/strict'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import {
  type Bot,
  ConnectionFailure,
  connect,
  Forbidden,
  Invalid,
  live,
  NotFound,
  bot as newBot,
  type Parley,
  pages,
  upload,
} from '@parley/sdk'
import { startReceiver } from '../testing/receiver.js'
import { type RunningSandbox, startSandbox } from './start.js'
import { fillIn, inOneMoment } from './testing-forms.js'

let sandbox: RunningSandbox
let owner: Parley
let control: Parley['sandbox']

before(async () => {
  sandbox = await startSandbox({ port: 0, env: { PARLEY_LOG_LEVEL: 'silent' } })
  owner = connect({ base_url: sandbox.base_url, token: sandbox.owner_token })
  control = connect({ base_url: sandbox.base_url }).sandbox
  await control.setLimits({ enabled: false })
})
after(() => sandbox.stop())

const newChat = (name: string, member_ids: number[] = []) =>
  owner.chats.create({ chat: { name, member_ids } })

test('methods have nouns, lists have pages, and files go up and come down', async () => {
  const chat = await newChat('Kit')
  for (const content of ['one', 'two', 'three'])
    await owner.messages.create({ message: { entity_id: chat.id, content } })
  const texts: string[] = []
  for await (const { content } of pages(owner.messages.list, { chat_id: chat.id, order: 'asc', limit: 2 }))
    texts.push(content)
  assert.deepEqual(texts, ['one', 'two', 'three'])

  const name = 'my "notes" $& ü.txt'
  const file = await upload(owner, { name, content: 'Grüße' })
  assert.deepEqual([file.name, file.file_type, file.size], [name, 'file', 7])
  const sent = await owner.messages.create({ message: { entity_id: chat.id, files: [file] } })
  const answer = await owner.files.download({ id: sent.files[0]?.id ?? 0 })
  assert.equal(await answer.text(), 'Grüße')
  assert.equal((await owner.search.messages({ query: 'three' })).data.length, 1)
})

test('refusals have the name of their status and say which field', async () => {
  await assert.rejects(owner.chats.get({ id: 999_999 }), NotFound)
  await assert.rejects(owner.chats.get({} as { id: number }), {
    name: 'TypeError',
    message: /^id is missing/,
  })
  const blank = owner.chats.create({ chat: { name: '' } })
  await assert.rejects(blank, (error: Invalid) => {
    assert.ok(error instanceof Invalid)
    assert.deepEqual([error.name, error.status, error.errors[0]?.key], ['Invalid', 422, 'name'])
    assert.ok(error.request_id)
    return true
  })
  const person = await control.createUser({ role: 'user' })
  const theirs = connect({ base_url: sandbox.base_url, token: person.token })
  await assert.rejects(theirs.security.listAuditEvents({}), Forbidden)
  const nobody = connect({ base_url: 'http://127.0.0.1:1/v1', retries: 0 })
  await assert.rejects(nobody.profile.get(), ConnectionFailure)
})

/** Passes every request on to the sandbox; `cut` says which answers get lost on the way back. */
async function lossyProxy(t: TestContext, cut: (request: IncomingMessage) => boolean) {
  const target = new URL(sandbox.base_url)
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    const lost = cut(request)
    keys.push(request.headers['idempotency-key'])
    const { method, url: path, headers } = request
    const passed = forward({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      if (lost) answer.once('data', () => response.destroy()).once('end', () => response.destroy())
      else response.writeHead(answer.statusCode ?? 500, answer.headers)
      if (!lost) answer.pipe(response)
    })
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { base_url, keys, breakAll: () => server.closeAllConnections() }
}

test('a message whose answer was lost is sent again and written once', async (t) => {
  const chat = await newChat('Lossy')
  let lost = 0
  const { base_url, keys } = await lossyProxy(t, () => lost++ < 2)
  const parley = connect({ base_url, token: sandbox.owner_token })
  const sent = await parley.messages.create({ message: { entity_id: chat.id, content: 'once' } })
  assert.equal(keys.length, 3)
  assert.equal(new Set(keys).size, 1)
  const { data } = await owner.messages.list({ chat_id: chat.id })
  assert.deepEqual(
    data.map(({ id, content }) => [id, content]),
    [[sent.id, 'once']],
  )
})

test('a live stream that breaks goes on where it ended', async (t) => {
  const chat = await newChat('Stream')
  const proxy = await lossyProxy(t, () => false)
  const parley = connect({ base_url: proxy.base_url, token: sandbox.owner_token })
  const stop = new AbortController()
  const seen: string[] = []
  const say = (content: string) => owner.messages.create({ message: { entity_id: chat.id, content } })
  for await (const frame of live(parley, { signal: stop.signal })) {
    if (frame.type === 'ready' && seen.length === 0) await say('first')
    if (frame.type !== 'message.created') continue
    seen.push(frame.data.message?.content ?? '')
    if (seen.length === 2) stop.abort()
    else {
      proxy.breakAll()
      // Nobody listens now.
      await say('second')
    }
  }
  assert.deepEqual(seen, ['first', 'second'])
})

/** A bot of the owner in a chat of its own, with the handlers of an approval. */
async function approvals(t: TestContext, settings: { events_history_enabled?: boolean } = {}) {
  const seen: string[] = []
  const draft = answering(newBot({ base_url: sandbox.base_url }), seen)
  const created = await owner.bots.create({
    webhook: { name: 'Approvals', ...draft.settings(), ...settings },
  })
  const bot = answering(
    newBot({
      base_url: sandbox.base_url,
      token: created.access_token,
      signing_secret: created.signing_secret ?? '',
    }),
    seen,
  )
  t.after(() => bot.stop())
  const person = await control.createUser({ first_name: 'Ann' })
  const chat = await newChat('Approvals', [created.id, person.id])
  const ann = connect({ base_url: sandbox.base_url, token: person.token })
  return { bot, seen, chat, ann, person, created }
}

function answering(bot: Bot, seen: string[]): Bot {
  return bot
    .on('command', '/approve', async ({ argument, reply }) => {
      await reply({ content: `Approve ${argument}?`, buttons: [[{ text: 'Yes', data: `yes:${argument}` }]] })
    })
    .on('message', async ({ event, reply }) => {
      seen.push(`message ${event.content}`)
      if (event.content === 'echo') await reply('echo')
    })
    .on('button', 'yes', async ({ argument, open }) => {
      const blocks = [{ type: 'input' as const, name: 'why', label: 'Why', required: true }]
      await open({ title: 'Reason', blocks }, { callback_id: `reason:${argument}` })
    })
    .on('form', 'reason', async ({ event, argument, reply }) => {
      if (event.data.why === 'no idea') return { errors: { why: 'Ask somebody' } }
      await reply(`${argument} approved: ${event.data.why}`)
      return undefined
    })
    .on('error', (error) => seen.push(String(error)))
}

/** The latest message of the bot, once there is one that the test waits for. */
async function said(ann: Parley, chat_id: number, bot_id: number, pattern: RegExp) {
  for (;;) {
    const { data } = await ann.messages.list({ chat_id, limit: 5 })
    const found = data.find(({ user_id, content }) => user_id === bot_id && pattern.test(content))
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function walkApproval({ seen, chat, ann, person, created }: Awaited<ReturnType<typeof approvals>>) {
  const say = (content: string) => ann.messages.create({ message: { entity_id: chat.id, content } })
  await say('echo')
  await said(ann, chat.id, created.id, /^echo$/)
  await say('/approve holiday')
  const asked = await said(ann, chat.id, created.id, /^Approve holiday\?$/)
  await inOneMoment(control, async () => {
    await control.press({ user_id: person.id, message_id: asked.id })
    const refused = await fillIn(control, person.id, { why: 'no idea' })
    assert.ok(refused instanceof Invalid, String(refused))
    assert.deepEqual([refused.errors[0]?.key, refused.errors[0]?.message], ['why', 'Ask somebody'])
    assert.deepEqual(await fillIn(control, person.id, { why: 'well earned' }), { status: 'accepted' })
  })
  await said(ann, chat.id, created.id, /^holiday approved: well earned$/)
  assert.deepEqual(seen, ['message echo'])
}

test('a bot hears by webhook: a message, a command, a press, a form, and never itself', async (t) => {
  const scene = await approvals(t)
  const { url } = await scene.bot.listen({ port: 0 })
  await walkApproval(scene)
  const forged = await fetch(url, { method: 'POST', body: '{"type":"message","event":"new"}' })
  assert.equal(forged.status, 401)
  assert.match(scene.seen.at(-1) ?? '', /^InvalidSignature/)
})

test('the same handlers hear by polling, and take what they handled out of the queue', async (t) => {
  const scene = await approvals(t, { events_history_enabled: true })
  const polled = scene.bot.poll({ wait_ms: 20 })
  await walkApproval(scene)
  await scene.bot.stop()
  await polled
  assert.deepEqual((await scene.bot.parley.webhookEvents.list({})).data, [])
})

test('an event is handled once by polling, also where it is handled while the queue is being read', async (t) => {
  const { bot, seen, chat, ann } = await approvals(t, { events_history_enabled: true })
  const texts = Array.from({ length: 12 }, (_, number) => `text ${number}`)
  const polled = bot.poll({ wait_ms: 0 })
  for (const content of texts) await ann.messages.create({ message: { entity_id: chat.id, content } })
  while (seen.length < texts.length) await new Promise((resolve) => setTimeout(resolve, 20))
  await bot.stop()
  await polled
  assert.deepEqual(
    seen,
    texts.map((text) => `message ${text}`),
  )
})

test('a webhook that comes twice is handled once, and one whose handler failed is handled again', async (t) => {
  const { bot, chat, ann, seen } = await approvals(t)
  const hook = await startReceiver()
  t.after(() => hook.close())
  await bot.parley.bots.setOwnWebhook({ webhook: { outgoing_url: hook.url } })
  await ann.messages.create({ message: { entity_id: chat.id, content: 'hello' } })
  await control.settle()
  const [received] = hook.requests
  assert.ok(received)
  const message = { headers: received.headers, body: received.raw }
  let failing = true
  bot.on('message', () => {
    if (failing) throw new Error('not now')
  })
  assert.equal((await bot.receive(message)).status, 500)
  failing = false
  const answers = await Promise.all([bot.receive(message), bot.receive(message), bot.receive(message)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.deepEqual(seen, ['message hello', 'Error: not now', 'message hello'])
  const headers = received.headers as Record<string, string>
  const body = received.raw.toString().replace('hello', 'hallo')
  assert.equal((await bot.fetch(new Request('http://bot', { method: 'POST', headers, body }))).status, 401)
})
