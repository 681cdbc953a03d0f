import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteBot, getBot, getTokenInfo } from '@parley/contract'
import { world } from '../testing/world.js'
import { logged, refused } from './testing-bots.js'

test('a deleted bot is gone with tokens, chats and webhooks; its messages stay', async (t) => {
  const stage = await world(t)
  const { alice, bob, bot, office, ctx, events, drain, url } = stage
  const params = { id: bot.id }
  const key = await ctx.db.selectFrom('bots').select('inbound_key').executeTakeFirstOrThrow()
  await assert.rejects(bob.call(deleteBot, { params }), refused)
  await alice.call(deleteBot, { params })

  await assert.rejects(bot.call(getTokenInfo), { status: 401, code: 'invalid_token' })
  await assert.rejects(alice.call(getBot, { params }), { status: 404, code: 'not_found' })
  await assert.rejects(alice.call(deleteBot, { params }), { status: 404, code: 'not_found' })
  const posted = await fetch(`${url}/webhooks/${key.inbound_key}`, { method: 'POST', body: '{}' })
  assert.equal(posted.status, 404)
  const members = await ctx.db
    .selectFrom('chat_members')
    .select('user_id')
    .where('chat_id', '=', office.id)
    .execute()
  assert.ok(!members.some(({ user_id }) => user_id === bot.id))
  const told = (await events()).find(({ type }) => type === 'chat_members.removed')
  assert.deepEqual(told?.payload.user_ids, [bot.id])
  await drain()
  const last = (await logged(stage)).at(-1)
  assert.deepEqual(last, {
    event_key: 'bot_deleted',
    actor_id: alice.id,
    entity_type: 'User',
    entity_id: String(bot.id),
    details: { bot_id: bot.id, actor_id: alice.id },
  })
})
