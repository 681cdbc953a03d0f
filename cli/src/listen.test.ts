import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createMessage, listViews, openSampleForm, submitView } from '@parley/contract'
import { verifyWebhook } from '@parley/sdk'
import { startReceiver } from '@parley/server/testing/receiver'
import { world } from '@parley/server/testing/world'
import { command } from './testing-terminal.js'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Runs the command for two events; `ready` once it has said this. */
function listenTo(url: string, forward: string, token: string, said: string, ...more: string[]) {
  let begun = () => {}
  const ready = new Promise<void>((resolve) => {
    begun = resolve
  })
  const args = ['listen', '--url', url, '--forward', forward, '--count', '2', ...more]
  const ended = command(args, { PARLEY_TOKEN: token }, '', (text) => {
    if (text.includes(said)) begun()
  })
  return { ready, ended }
}

test('webhooks of a bot are forwarded from its queue, in order, signed and shown', async (t) => {
  const { ctx, alice, bot, office, url, drain } = await world(t)
  await ctx.db
    .updateTable('bots')
    .set({ events: ['message_new'], events_history_enabled: true })
    .execute()
  const say = async (content: string) => {
    await alice.call(createMessage, { body: { message: { entity_id: office.id, content } } })
    await drain()
  }
  await say('before it listened')
  const receiver = await startReceiver((_, response, count) => {
    response.writeHead(count === 1 ? 500 : 200).end()
  })
  t.after(() => receiver.close())
  const { ready, ended } = listenTo(url, receiver.url, bot.token, 'Forwarding to', '--secret', SECRET)
  await ready
  await say('first')
  await say('second')
  const { code, stdout, stderr } = await ended
  assert.equal(code, 0, stderr)
  assert.deepEqual(
    receiver.requests.map(({ body }) => body.content),
    ['first', 'second'],
  )
  for (const { headers, raw } of receiver.requests) verifyWebhook({ headers, body: raw }, SECRET)
  assert.match(stdout, /message_new \S+ 500 in \d+ ms\n {2}\{"type":"message".*\n.*message_new \S+ 200 in/)
})

/** Passes requests on to a server, but for those after the first that meet one of these faults. */
async function flakyProxy(t: TestContext, url: string, faults: (number | 'cut')[]): Promise<string> {
  let asked = 0
  const proxy = createServer(async (request, response) => {
    asked += 1
    const fault = asked === 1 ? undefined : faults.shift()
    if (fault === 'cut') return request.socket.destroy()
    if (fault) return response.writeHead(fault, { 'Retry-After': '0' }).end()
    const { authorization = '' } = request.headers
    const answer = await fetch(url + request.url, { headers: { authorization } })
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

test('listening goes on after a server that was away, and ends after as many events as were asked for', async (t) => {
  const { ctx, alice, bot, office, url, drain } = await world(t)
  await ctx.db
    .updateTable('bots')
    .set({ events: ['message_new'], events_history_enabled: true })
    .execute()
  const proxy = await flakyProxy(t, url, ['cut', 503, 429, 'cut'])
  const receiver = await startReceiver((_, response) => response.writeHead(200).end())
  t.after(() => receiver.close())
  const { ready, ended } = listenTo(proxy, receiver.url, bot.token, 'trying again')
  await Promise.race([ready, ended])
  for (const content of ['one', 'two', 'three'])
    await alice.call(createMessage, { body: { message: { entity_id: office.id, content } } })
  await drain()
  const { code, stderr } = await ended
  assert.equal(code, 0, stderr)
  assert.deepEqual(
    receiver.requests.map(({ body }) => body.content),
    ['one', 'two'],
  )
  assert.equal(stderr.match(/trying again/g)?.length, 1)
  assert.match(stderr, /The server answers again/)
})

test('what the program answers to a form goes back to the person in front of it', async (t) => {
  const { ctx, owner, bot, url } = await world(t)
  await ctx.db
    .updateTable('bots')
    .set({ events_history_enabled: true, outgoing_url: '', creator_id: owner.id })
    .execute()
  const answers = [
    { status: 400, body: { errors: { day: 'That day is taken.' } } },
    { status: 200, body: {} },
  ]
  const receiver = await startReceiver((_, response, count) => {
    const { status = 500, body } = answers[count - 1] ?? {}
    response.writeHead(status).end(JSON.stringify(body))
  })
  t.after(() => receiver.close())
  const { ready, ended } = listenTo(url, receiver.url, bot.token, 'Forwarding to')
  await ready
  const view = { title: 'Leave', blocks: [{ type: 'input' as const, name: 'day', label: 'Day' }] }
  await owner.call(openSampleForm, { params: { id: bot.id }, body: { view } })
  const [open] = (await owner.call(listViews)).data
  const send = (day: string) =>
    owner.call(submitView, { params: { id: open?.id ?? '' }, body: { data: { day } } })
  await assert.rejects(send('Monday'), { status: 422, message: /That day is taken/ })
  assert.deepEqual((await send('Tuesday')).data, { status: 'accepted' })
  const { stdout } = await ended
  assert.match(stdout, / 400 in \d+ ms, the form shows the errors\n/)
  assert.match(stdout, / 200 in \d+ ms, the form is closed\n/)
})

test('listening needs a token of the bot, and says what the server refuses', async (t) => {
  const { alice, url } = await world(t)
  const args = ['listen', '--url', url, '--forward', '1']
  const unset = await command(args)
  assert.equal(unset.code, 2)
  assert.match(unset.stderr, /PARLEY_TOKEN/)
  const person = await command(args, { PARLEY_TOKEN: alice.token })
  assert.equal(person.code, 1)
  assert.match(person.stderr, /the server answered 403/)
})
