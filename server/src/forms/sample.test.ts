import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listPublishedBots,
  listViews,
  openSampleForm,
  pressButton,
  sendSampleMessage,
  submitView,
} from '@parley/contract'
import { setBot, stage } from './testing-stage.js'

test('whoever manages a bot has it send a message and open a form to them, and the bot hears what they do', async (t) => {
  const scene = await stage(t)
  const { alice, bob, bot } = scene
  const params = { id: bot.id }
  const message = { content: 'Proceed?', buttons: [[{ text: 'Yes', data: 'yes' }]] }
  const { data } = await alice.call(sendSampleMessage, { params, body: { message } })
  assert.deepEqual([data.user_id, data.entity_type, data.entity_id], [bot.id, 'user', bot.id])
  assert.deepEqual(data.buttons, message.buttons)
  await alice.call(pressButton, { params: { id: data.id }, body: { row: 0, column: 0 } })
  const [press] = await scene.server.bodies('button')
  assert.deepEqual([press?.data, press?.user_id], ['yes', alice.id])

  const view = { title: 'Leave', blocks: [{ type: 'input' as const, name: 'name', label: 'Name' }] }
  await alice.call(openSampleForm, { params, body: { view, callback_id: 'leave' } })
  const [open] = (await alice.call(listViews)).data
  assert.deepEqual([open?.bot_id, open?.chat_id, open?.title], [bot.id, data.chat_id, 'Leave'])
  await alice.call(submitView, { params: { id: open?.id as string }, body: { data: { name: 'Ann' } } })
  const sent = scene.server.requests.at(-1)?.body
  assert.deepEqual([sent?.callback_id, sent?.user_id], ['leave', alice.id])

  const empty = { params, body: { view: { title: 'Leave', blocks: [] } } }
  await assert.rejects(alice.call(openSampleForm, empty), { status: 422, code: 'blank' })
  const refused = { status: 403, code: 'not_authorized' }
  await assert.rejects(bob.call(sendSampleMessage, { params, body: { message } }), refused)
  await assert.rejects(bob.call(openSampleForm, { params, body: { view } }), refused)
  await setBot(scene, { can_edit: ['chat_owners'] })
  await assert.rejects(bob.call(sendSampleMessage, { params, body: { message } }), refused)
})

test('the catalogue lists bots whose page is published, to employees', async (t) => {
  const scene = await stage(t)
  const { bob, mia, bot } = scene
  assert.deepEqual((await bob.call(listPublishedBots)).data, [])
  const promo = { description: 'Books leave', published: true, promo_images: [] }
  await setBot(scene, { promo: JSON.stringify(promo), commands: ['/leave'] })
  assert.deepEqual((await bob.call(listPublishedBots)).data, [
    {
      id: bot.id,
      name: 'Helper_bot',
      nickname: 'helper_bot',
      avatar_url: null,
      description: 'Books leave',
      promo_images: [],
      commands: ['/leave'],
    },
  ])
  assert.deepEqual((await bob.call(listPublishedBots, { query: { query: 'nobody' } })).data, [])
  await setBot(scene, { promo: JSON.stringify({ ...promo, published: false }) })
  assert.deepEqual((await bob.call(listPublishedBots)).data, [])
  await assert.rejects(mia.call(listPublishedBots), { status: 403 })
})
