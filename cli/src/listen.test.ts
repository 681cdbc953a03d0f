import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, listViews, openSampleForm, submitView } from '@parley/contract'
import { verifyWebhook } from '@parley/sdk'
import { startReceiver } from '@parley/server/testing/receiver'
import { world } from '@parley/server/testing/world'
import { command } from './testing-terminal.js'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

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
  let begun = () => {}
  const ready = new Promise<void>((resolve) => {
    begun = resolve
  })
  const args = ['listen', '--url', url, '--forward', receiver.url, '--secret', SECRET, '--count', '2']
  const ended = command(args, { PARLEY_TOKEN: bot.token }, '', (text) => {
    if (text.includes('Forwarding to')) begun()
  })
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
  let begun = () => {}
  const ready = new Promise<void>((resolve) => {
    begun = resolve
  })
  const args = ['listen', '--url', url, '--forward', receiver.url, '--count', '2']
  const ended = command(args, { PARLEY_TOKEN: bot.token }, '', (text) => {
    if (text.includes('Forwarding to')) begun()
  })
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
