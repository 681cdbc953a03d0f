import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChat, getChat } from '@parley/contract'
import { at, audited, chat, lines, rolesIn, tag } from '../chats/testing-stage.js'
import { world } from '../testing/world.js'

test('a new chat has its creator, the people asked for, and a video room', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, owner, bot } = stage
  const { data } = await alice.call(
    createChat,
    chat('  Straße & Co  ', { member_ids: [bob.id, admin.id, owner.id, bot.id, bob.id] }),
  )

  assert.equal(data.name, 'Straße & Co')
  assert.equal(data.owner_id, alice.id)
  const members = [alice.id, bob.id, admin.id, owner.id, bot.id].sort((a, b) => a - b)
  assert.deepEqual(data.member_ids, members)
  assert.deepEqual([data.channel, data.personal, data.public, data.archived], [false, false, false, false])
  assert.equal(data.last_message_at, data.created_at)
  assert.match(data.meet_room_url, /^http.*\/meet\/[a-z0-9-]+-[0-9a-f]{32}$/)
  assert.deepEqual((await alice.call(getChat, at(data.id))).data, data)
  const roles = await rolesIn(stage, data.id)
  assert.deepEqual(
    [alice, bob, admin, owner, bot].map(({ id }) => roles[id]),
    ['owner', 'member', 'admin', 'admin', 'member'],
  )
  assert.deepEqual(await lines(stage, data.id), [])
})

test('everybody who hears of a new chat hears of its first people, all in one event', async (t) => {
  const stage = await world(t)
  const { alice, bob, bot, events } = stage
  const { data } = await alice.call(createChat, chat('plans', { member_ids: [bob.id, bot.id] }))

  const told = await events()
  assert.deepEqual(
    told.map(({ type, chat_id }) => [type, chat_id]),
    [
      ['chat.created', data.id],
      ['chat_members.added', data.id],
    ],
  )
  assert.deepEqual(told[1]?.payload.user_ids, [bob.id, bot.id])
  assert.deepEqual(told[1]?.payload.root_chat_id, data.id)
  const log = await audited(stage, 'chat_created', 'user_chat_join')
  assert.deepEqual(
    log.map(({ event_key, actor_id, entity_id, details }) => [event_key, actor_id, entity_id, details]),
    [
      ['chat_created', alice.id, String(data.id), {}],
      ['user_chat_join', bob.id, String(data.id), { inviter_id: alice.id }],
      ['user_chat_join', bot.id, String(data.id), { inviter_id: alice.id }],
    ],
  )
})

test('a channel makes a bot its editor and a tag bring its people', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, bot } = stage
  const design = await tag(stage, 'Design', [bob, admin])
  const body = { channel: true, public: true, member_ids: [bot.id], group_tag_ids: [design, 999] }
  const { body: answer, headers } = await alice.send(createChat, chat('Design news', body))

  const { data } = answer
  assert.deepEqual(data.group_tag_ids, [design])
  assert.deepEqual([data.channel, data.public], [true, true])
  assert.equal(headers.get('Parley-Ignored'), 'group_tag_ids')
  const roles = await rolesIn(stage, data.id)
  assert.deepEqual(
    [alice, bob, admin, bot].map(({ id }) => roles[id]),
    ['owner', 'member', 'admin', 'editor'],
  )
  const [bound] = await audited(stage, 'tag_added_to_chat')
  assert.deepEqual(
    [bound?.entity_id, bound?.details],
    [String(design), { chat_id: data.id, tag_name: 'Design' }],
  )
})

test('ids that name nobody active are left out of a new chat and named in a header', async (t) => {
  const { alice, bob, person } = await world(t)
  const idle = await person({ suspended: true })
  const member_ids = [bob.id, idle.id, 9_999, -1, 9_000_000_000]
  const { body, headers } = await alice.send(createChat, chat('few', { member_ids }))
  assert.deepEqual(body.data.member_ids, [alice.id, bob.id])
  assert.equal(headers.get('Parley-Ignored'), 'member_ids')
})

test('a new chat is refused without a name, to guests, and with a bot that is not theirs to add', async (t) => {
  const { ctx, alice, bob, mia, admin, bot, events } = await world(t)
  await assert.rejects(alice.call(createChat, chat('  ')), { status: 422, code: 'blank' })
  await assert.rejects(alice.call(createChat, chat('x'.repeat(256))), { status: 422, code: 'too_long' })
  await assert.rejects(alice.call(createChat, { body: {} as never }), { status: 400, code: 'required' })
  await assert.rejects(mia.call(createChat, chat('mine')), { status: 403, code: 'insufficient_scope' })
  const denied = bob.call(createChat, chat('with bot', { member_ids: [admin.id, bot.id] }))
  await assert.rejects(denied, ({ status, code, errors }) => {
    assert.deepEqual([status, code, errors[0].value], [403, 'bot_add_denied', String(bot.id)])
    return true
  })
  await ctx.db.updateTable('bots').set({ single_chat: true }).where('user_id', '=', bot.id).execute()
  const occupied = alice.call(createChat, chat('second', { member_ids: [bot.id] }))
  await assert.rejects(occupied, { status: 409, code: 'single_chat_bot_occupied' })
  await assert.rejects(bot.call(createChat, chat('mine')), { status: 409, code: 'single_chat_bot_occupied' })
  assert.deepEqual(await events(), [])
})

test('who may add a bot is the bot’s own setting', async (t) => {
  const { ctx, alice, bob, admin, owner, bot } = await world(t)
  const table = {
    creator: [alice],
    creator_admin: [alice, admin, owner],
    creator_admin_user: [alice, admin, owner, bob],
    anyone: [alice, admin, owner, bob],
  }
  for (const [who_can_add, allowed] of Object.entries(table)) {
    await ctx.db.updateTable('bots').set({ who_can_add }).where('user_id', '=', bot.id).execute()
    for (const someone of [alice, admin, owner, bob]) {
      const asked = someone.call(createChat, chat('try', { member_ids: [bot.id] }))
      if (allowed.includes(someone)) await asked
      else await assert.rejects(asked, { status: 403, code: 'bot_add_denied' })
    }
  }
})
