import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createStandaloneThread, createThread } from '@parley/contract'
import { join } from '../testing/join.js'
import { world } from '../testing/world.js'
import { saying } from './testing-saying.js'

test('who may not write is told so, and nothing happens', async (t) => {
  const { alice, bob, admin, mia, bot, office, attic, news, events } = await world(t)
  const refused = { status: 403, code: 'not_authorized' }
  await assert.rejects(alice.call(createMessage, saying(attic.id, 'anyone?')), refused)
  await assert.rejects(bob.call(createMessage, saying(news.id, 'open, but not joined')), refused)
  await assert.rejects(admin.call(createMessage, saying(office.id, 'I am an admin')), refused)
  await assert.rejects(bot.call(createMessage, saying(news.id, 'beep')), refused)
  await assert.rejects(mia.call(createMessage, saying(news.id, 'hi')), refused)
  await assert.rejects(alice.call(createMessage, saying(999_999, 'hi')), {
    status: 404,
    code: 'not_found',
  })
  await assert.rejects(alice.call(createMessage, saying(999_999, 'hi', { entity_type: 'thread' })), {
    status: 404,
  })
  await assert.rejects(alice.call(createMessage, saying(999_999, 'hi', { entity_type: 'user' })), {
    status: 404,
  })
  await assert.rejects(alice.call(createMessage, saying(2 ** 52, 'hi', { entity_type: 'user' })), {
    status: 404,
  })
  assert.deepEqual(await events(), [])
})

test('a subscriber of a channel reads, an editor writes', async (t) => {
  const { alice, bob, news, ctx } = await world(t)
  await join({ ctx }, news, bob)
  await alice.call(createMessage, saying(news.id, 'news'))
  await assert.rejects(bob.call(createMessage, saying(news.id, 'me too')), { status: 403 })
  await ctx.db
    .updateTable('chat_members')
    .set({ role: 'editor' })
    .where('chat_id', '=', news.id)
    .where('user_id', '=', bob.id)
    .execute()
  await bob.call(createMessage, saying(news.id, 'now I may'))
})

test('threads of open chats and archived chats take messages, closed ones only from those who see them', async (t) => {
  const { alice, bob, admin, mia, bot, news, office, ctx } = await world(t)
  const { data: parent } = await alice.call(createMessage, saying(news.id, 'news'))
  const { data: thread } = await bob.call(createThread, { params: { id: parent.id } })
  const into = (content: string) => saying(thread.id, content, { entity_type: 'thread' })
  const { data } = await bob.call(createMessage, into('not a member, yet here'))
  assert.deepEqual(
    [data.entity_type, data.entity_id, data.chat_id, data.root_chat_id, data.thread],
    ['thread', thread.id, thread.chat_id, news.id, null],
  )
  await bot.call(createMessage, into('beep'))
  await bot.call(createMessage, saying(thread.chat_id, 'by chat id'))
  await assert.rejects(mia.call(createMessage, into('guest')), { status: 403 })
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', news.id).execute()
  await bob.call(createMessage, into('threads stay open'))

  const { data: closed } = await alice.call(createMessage, saying(office.id, 'inside'))
  const { data: inner } = await alice.call(createThread, { params: { id: closed.id } })
  await assert.rejects(admin.call(createMessage, saying(inner.id, 'x', { entity_type: 'thread' })), {
    status: 403,
  })
  const { data: alone } = await alice.call(createStandaloneThread)
  const own = await alice.call(createMessage, saying(alone.id, 'note', { entity_type: 'thread' }))
  assert.equal(own.data.root_chat_id, alone.chat_id)
  await assert.rejects(bob.call(createMessage, saying(alone.id, 'x', { entity_type: 'thread' })), {
    status: 403,
  })
})
