import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, getMessage } from '@parley/contract'
import { world } from '../testing/world.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})

test('a message is sent and read again as it was answered', async (t) => {
  const { alice, bob, bot, office, events } = await world(t)
  const { data } = await alice.call(createMessage, saying(office.id, 'hello **all**'))
  assert.equal(data.content, 'hello **all**')
  assert.equal(data.entity_type, 'discussion')
  assert.equal(data.entity_id, office.id)
  assert.equal(data.root_chat_id, office.id)
  assert.equal(data.user_id, alice.id)
  assert.equal(data.changed_at, data.created_at)
  assert.equal('display_name' in data, false)
  assert.match(data.url, new RegExp(`/chats/${office.id}\\?message=${data.id}$`))
  assert.deepEqual((await bob.call(getMessage, { params: { id: data.id } })).data, data)
  const [event] = await events()
  assert.equal(event?.type, 'message.created')
  assert.equal(event?.payload.content, 'hello **all**')
  const spoken = await bot.call(createMessage, saying(office.id, 'beep'))
  assert.equal(spoken.data.display_name, null)
})
