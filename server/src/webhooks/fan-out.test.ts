import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  addChatMembers,
  addReaction,
  companyMembersActivated,
  companyMembersConfirmed,
  companyMembersDeleted,
  companyMembersInvited,
  companyMembersSuspended,
  companyMembersUpdated,
  createMessage,
  createThread,
  deleteMessage,
  removeChatMember,
  removeReaction,
  updateBot,
  updateMessage,
  updateUser,
} from '@parley/contract'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { world } from '../testing/world.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})

test('senders are woken by what bots are to hear, and by nothing else', async (t) => {
  const { alice, bot, office, listen, server, ctx } = await world(t)
  await listen(bot, ['message_new'])
  let woken = 0
  ctx.bell.on('deliveries', () => {
    woken += 1
  })
  const relay = server.workers.find(({ name }) => name === 'relay')
  const { data: said } = await alice.call(createMessage, saying(office.id, 'hello'))
  await relay?.drain()
  await setImmediate()
  assert.equal(woken, 1)
  await alice.call(deleteMessage, { params: { id: said.id } })
  await relay?.drain()
  await setImmediate()
  assert.equal(woken, 1)
})

test('a suspended bot hears nothing, and what is new once it is back', async (t) => {
  const { owner, alice, bot, office, listen, drain } = await world(t)
  const hook = await listen(bot, ['message_new', 'company_member_update'])
  const suspend = (suspended: boolean) =>
    owner.call(updateUser, { params: { id: bot.id }, body: { user: { suspended } } })
  await suspend(true)
  await alice.call(createMessage, saying(office.id, 'meanwhile'))
  await drain()
  await suspend(false)
  await alice.call(createMessage, saying(office.id, 'now'))
  await drain()
  assert.deepEqual(
    hook.received.map((body) => (body as { content: string }).content),
    ['now'],
  )
})

test('new, changed and deleted messages come with the fields of the contract', async (t) => {
  const { alice, bot, office, listen, drain, ctx } = await world(t)
  const hook = await listen(bot, ['message_new', 'message_update', 'message_delete'])
  const { data: said } = await alice.call(createMessage, saying(office.id, 'hello'))
  const params = { id: said.id }
  await drain()
  const { data: changed } = await alice.call(updateMessage, { params, body: { message: { content: 'bye' } } })
  await drain()
  await alice.call(deleteMessage, { params })
  await drain()

  const base = {
    type: 'message',
    id: said.id,
    entity_type: 'discussion',
    entity_id: office.id,
    user_id: alice.id,
    created_at: said.created_at,
    url: `${ctx.config.app_url}/chats/${office.id}?message=${said.id}`,
    chat_id: office.id,
    parent_message_id: null,
    thread: null,
  }
  const [fresh, update, gone] = hook.received
  assert.deepEqual(fresh, { ...base, event: 'new', content: 'hello', changed_at: said.created_at })
  assert.deepEqual(update, { ...base, event: 'update', content: 'bye', changed_at: changed.changed_at })
  assert.deepEqual({ ...gone, changed_at: 0 }, { ...base, event: 'delete', content: '', changed_at: 0 })
})

test('comments of a thread come to bots of its chat, with the thread they are in', async (t) => {
  const { alice, bot, office, listen, drain } = await world(t)
  const hook = await listen(bot, ['message_new'])
  const { data: root } = await alice.call(createMessage, saying(office.id, 'topic'))
  const { data: thread } = await alice.call(createThread, { params: { id: root.id } })
  await alice.call(createMessage, saying(thread.id, 'comment', { entity_type: 'thread' }))
  await drain()

  const comment = hook.received.at(-1)
  assert.equal(comment?.content, 'comment')
  assert.equal(comment?.chat_id, thread.chat_id)
  assert.equal(comment?.entity_type, 'thread')
  assert.deepEqual(comment?.thread, { message_id: root.id, message_chat_id: office.id })
})

test('a personal message names its writer; chats that the bot is not in say nothing', async (t) => {
  const { alice, bot, news, listen, drain } = await world(t)
  const hook = await listen(bot, ['message_new'])
  await alice.call(createMessage, saying(news.id, 'to subscribers'))
  await bot.call(createMessage, saying(alice.id, 'hi', { entity_type: 'user' }))
  await alice.call(createMessage, saying(bot.id, 'hi yourself', { entity_type: 'user' }))
  await drain()
  assert.deepEqual(
    hook.received.map(({ content, entity_type, entity_id }) => [content, entity_type, entity_id]),
    [
      ['hi', 'user', alice.id],
      ['hi yourself', 'user', alice.id],
    ],
  )
})

test('reactions come with code, name and the same emoji', async (t) => {
  const { alice, bot, office, listen, drain } = await world(t)
  const hook = await listen(bot, ['reaction_new', 'reaction_delete'])
  const { data: said } = await alice.call(createMessage, saying(office.id, 'hello'))
  const params = { id: said.id }
  await alice.call(addReaction, { params, body: { code: '👍' } })
  await alice.call(removeReaction, { params, query: { code: '👍' } })
  await drain()
  const [added, removed] = hook.received
  assert.deepEqual(Object.keys(added ?? {}), [
    'type',
    'event',
    'chat_id',
    'message_id',
    'code',
    'name',
    'emoji',
    'user_id',
    'created_at',
  ])
  assert.deepEqual([added?.event, added?.code, added?.emoji, added?.chat_id], ['new', '👍', '👍', office.id])
  assert.deepEqual({ ...removed, event: 'new' }, added)
})

test('members that come and go are told; a bot hears that it was added and that it was removed', async (t) => {
  const { alice, bob, bot, news, office, listen, drain } = await world(t)
  const hook = await listen(bot, ['chat_member_add', 'chat_member_remove'])
  const { data: told } = { data: hook.received }
  assert.deepEqual(told, [])
  await alice.call(addChatMembers, { params: { id: news.id }, body: { member_ids: [bot.id] } })
  await alice.call(addChatMembers, { params: { id: news.id }, body: { member_ids: [bob.id] } })
  await alice.call(removeChatMember, { params: { id: news.id, user_id: bob.id } })
  await alice.call(removeChatMember, { params: { id: office.id, user_id: bot.id } })
  await drain()
  const inOffice = hook.received.filter(({ chat_id }) => chat_id === office.id)
  assert.deepEqual(
    inOffice.map(({ event, user_ids }) => ({ event, user_ids })),
    [{ event: 'remove', user_ids: [bot.id] }],
  )
  const inNews = hook.received.filter(({ chat_id }) => chat_id === news.id)
  assert.deepEqual(
    inNews.map(({ event, chat_id, user_ids, thread_id }) => ({ event, chat_id, user_ids, thread_id })),
    [
      { event: 'add', chat_id: news.id, user_ids: [bot.id], thread_id: null },
      { event: 'add', chat_id: news.id, user_ids: [bob.id], thread_id: null },
      { event: 'remove', chat_id: news.id, user_ids: [bob.id], thread_id: null },
    ],
  )
  assert.match(String(hook.received[0]?.created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})

test('a bot that is removed still gets what was said before', async (t) => {
  const { alice, bot, office, listen, drain } = await world(t)
  const hook = await listen(bot, ['message_new'])
  await alice.call(createMessage, saying(office.id, 'before'))
  await alice.call(removeChatMember, { params: { id: office.id, user_id: bot.id } })
  await alice.call(createMessage, saying(office.id, 'after'))
  await drain()
  assert.deepEqual(
    hook.received.map(({ content }) => content),
    ['before'],
  )
})

test('news of the workspace comes to every bot that asked for it, wherever it is', async (t) => {
  const { ctx, owner, bot, bob, listen, drain, clock } = await world(t)
  const words = ['invite', 'confirm', 'update', 'suspend', 'activate', 'delete']
  const hook = await listen(
    bot,
    words.map((word) => `company_member_${word}`),
  )
  const created_at = new Date(clock.now()).toISOString()
  const kinds = [
    companyMembersInvited,
    companyMembersConfirmed,
    companyMembersUpdated,
    companyMembersSuspended,
    companyMembersActivated,
    companyMembersDeleted,
  ]
  const payload = { user_ids: [bob.id], created_at }
  for (const kind of kinds)
    await transaction(ctx, (tx) => emit(tx, ctx, { user_id: owner.id }, kind, payload))
  await drain()
  assert.deepEqual(
    hook.received,
    words.map((event) => ({
      type: 'company_member',
      event,
      user_ids: [bob.id],
      created_at: created_at.replace(/\.\d+Z/, 'Z'),
    })),
  )
})

test('commands: the first word decides of new messages, to the letter; changes and deletions always come', async (t) => {
  const { alice, bot, office, listen, drain, ctx } = await world(t)
  const hook = await listen(bot, ['message_new', 'message_update', 'message_delete'])
  const commands = ['/deploy', '/status']
  await ctx.db.updateTable('bots').set({ trigger_on: 'commands', commands }).execute()
  const texts = [
    '/deploy api',
    '  /status',
    '/Deploy',
    '/deployed',
    'please /deploy',
    'hello',
    '/deploy\napi',
  ]
  const ids: number[] = []
  for (const text of texts) ids.push((await alice.call(createMessage, saying(office.id, text))).data.id)
  await drain()
  const [first, , , , , hello] = ids as [number, number, number, number, number, number]
  await alice.call(updateMessage, { params: { id: hello }, body: { message: { content: '/status now' } } })
  await alice.call(updateMessage, { params: { id: first }, body: { message: { content: 'no command' } } })
  await alice.call(deleteMessage, { params: { id: ids[4] as number } })
  await drain()
  assert.deepEqual(
    hook.received.map(({ event, content }) => [event, content]),
    [
      ['new', '/deploy api'],
      ['new', '  /status'],
      ['new', '/deploy\napi'],
      ['update', '/status now'],
      ['update', 'no command'],
      ['delete', ''],
    ],
  )
})

test('a bot that ignores itself hears nothing of its own messages and reactions', async (t) => {
  const { alice, bot, office, listen, drain, ctx } = await world(t)
  const hook = await listen(bot, ['message_new', 'reaction_new', 'reaction_delete'])
  const talk = async () => {
    const { data } = await bot.call(createMessage, saying(office.id, 'mine'))
    await bot.call(addReaction, { params: { id: data.id }, body: { code: '👍' } })
    await alice.call(addReaction, { params: { id: data.id }, body: { code: '🎉' } })
    await drain()
  }
  await talk()
  assert.equal(hook.received.length, 3)
  await ctx.db.updateTable('bots').set({ ignore_self_messages: true }).execute()
  await talk()
  assert.deepEqual(
    hook.received.slice(3).map(({ type, user_id }) => [type, user_id]),
    [['reaction', alice.id]],
  )
})

test('links on watched domains are told of from every chat; in unfurl mode nothing else is', async (t) => {
  const { alice, bot, news, listen, drain, ctx } = await world(t)
  const hook = await listen(bot, ['message_new', 'message_link_shared'])
  await ctx.db
    .updateTable('bots')
    .set({ trigger_on: 'unfurl', unfurl_domains: ['example.org'] })
    .execute()
  const text = 'see https://wiki.example.org/p/7, (http://example.org/a_(b)) and https://notexample.org/x'
  const { data: said } = await alice.call(createMessage, saying(news.id, text))
  await alice.call(createMessage, saying(news.id, 'no links, example.org'))
  await alice
    .call(createMessage, saying(bot.id, 'https://example.org', { entity_type: 'user' }))
    .catch(() => {})
  await drain()
  assert.deepEqual(hook.received[0], {
    type: 'message',
    event: 'link_shared',
    chat_id: news.id,
    message_id: said.id,
    links: [
      { url: 'https://wiki.example.org/p/7', domain: 'example.org', skip: false },
      { url: 'http://example.org/a_(b)', domain: 'example.org', skip: false },
    ],
    user_id: alice.id,
    entity_type: 'discussion',
    entity_id: news.id,
    thread: null,
    created_at: said.created_at,
  })
})

test('what a bot did not ask for does not come, nor anything to a bot without an address', async (t) => {
  const { alice, bot, office, listen, drain, ctx } = await world(t)
  const hook = await listen(bot, ['reaction_new'])
  await alice.call(createMessage, saying(office.id, 'hello'))
  await drain()
  assert.deepEqual(hook.received, [])
  await alice.call(updateBot, {
    params: { id: bot.id },
    body: { webhook: { outgoing_url: '', events: ['message_new'] } },
  })
  await alice.call(createMessage, saying(office.id, 'hello'))
  await drain()
  assert.deepEqual(await ctx.db.selectFrom('deliveries').selectAll().execute(), [])
})
