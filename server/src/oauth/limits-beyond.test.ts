import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TokenLimits } from '@parley/contract'
import * as api from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { type Person, world } from '../testing/world.js'
import { limited, refusal, saying } from './testing-limits.js'
import { scopesOf } from './tokens.js'

test('what reaches beyond the chats of a token is closed to it', async (t) => {
  const scene = await world(t)
  const { admin, alice, bob, bot, office, ctx } = scene
  const { client, token_id } = await limited(scene, admin, { chat_ids: [office.id] })
  await ctx.db
    .updateTable('tokens')
    .set({ scopes: scopesOf('admin') })
    .where('id', '=', token_id)
    .execute()
  const { data: tag } = await admin.call(api.createGroupTag, { body: { group_tag: { name: 'Design' } } })
  const { data: design } = await alice.call(api.createChat, {
    body: { chat: { name: 'design', member_ids: [bot.id], group_tag_ids: [tag.id] } },
  })
  const params = { id: bob.id }
  await admin.call(api.updateUser, { params, body: { user: { list_tags: ['Design'] } } })
  const user = { email: 'new@example.org', list_tags: ['Design'] }
  const beyond = [
    () => client.call(api.updateUser, { params, body: { user: { list_tags: [] } } }),
    () => client.call(api.createUser, { body: { user } }),
    () => client.call(api.deleteUser, { params }),
    () => client.call(api.deleteGroupTag, { params: { id: tag.id } }),
  ]
  for (const call of beyond) assert.equal((await refusal(call())).rule, 'token.limits.chat_ids')
  const same = { title: 'Lead', list_tags: ['Design'] }
  assert.equal((await client.call(api.updateUser, { params, body: { user: same } })).data.title, 'Lead')
  const { data: chat } = await bob.call(api.getChat, { params: { id: design.id } })
  assert.ok(chat.member_ids.includes(bob.id))

  await ctx.db.updateTable('bots').set({ single_chat: true }).where('user_id', '=', bot.id).execute()
  await ctx.db
    .deleteFrom('chat_members')
    .where('user_id', '=', bot.id)
    .where('chat_id', '=', office.id)
    .execute()
  const inOffice = await limited(scene, alice, { chat_ids: [office.id] })
  const added = inOffice.client.call(api.addChatMembers, {
    params: { id: office.id },
    body: { member_ids: [bot.id] },
  })
  await assert.rejects(added, { status: 409, code: 'single_chat_bot_occupied' })
})

test('a token with limits hands out no token that may do more, and no other way into the chats of a bot', async (t) => {
  const scene = await world(t)
  const { alice, office } = scene
  const limits = { chat_ids: [office.id], writes_per_day: 50 }
  const { client } = await limited(scene, alice, limits)
  const { data: bot } = await alice.call(api.createBot, { body: { webhook: { name: 'Clerk' } } })
  const { data: hidden } = await alice.call(api.createChat, { body: { chat: { name: 'hidden' } } })
  await alice.call(api.addChatMembers, { params: { id: hidden.id }, body: { member_ids: [bot.id] } })
  const params = { id: bot.id }
  const issue = (given?: TokenLimits) =>
    client.call(api.issueBotToken, {
      params,
      body: { name: 'x', scopes: ['messages:read'], ...(given && { limits: given }) },
    })
  const { data: tokens } = await alice.call(api.listBotTokens, { params })
  const one = { ...params, token_id: tokens[0]?.id as number }
  const wider = [
    () => issue(),
    () => issue({ chat_ids: [office.id, hidden.id], writes_per_day: 50 }),
    () => issue({ chat_ids: [office.id] }),
    () => client.call(api.reissueBotToken, { params: one }),
    () => client.call(api.rotateBotToken, { params }),
  ]
  for (const call of wider) assert.equal((await refusal(call())).rule, 'token.limits.narrow')
  const beyond = [
    () => client.call(api.updateBot, { params, body: { webhook: { events_history_enabled: true } } }),
    () => client.call(api.createBot, { body: { webhook: { name: 'Porter' } } }),
    () => client.call(api.rotateInboundUrl, { params }),
  ]
  for (const call of beyond) assert.equal((await refusal(call())).rule, 'token.limits.chat_ids')
  await scene.ctx.db
    .updateTable('bots')
    .set({ last_request: '{"message":"hidden"}' })
    .where('user_id', '=', bot.id)
    .execute()
  const webhookFor = async (who: Pick<Person, 'call'>) =>
    (await who.call(api.getBot, { params })).data.webhook
  const whole = await webhookFor(alice)
  assert.ok(whole.inbound_url && whole.last_request)
  const { inbound_url, last_request } = await webhookFor(client)
  assert.deepEqual([inbound_url, last_request], [undefined, null])
  assert.deepEqual((await issue(limits)).data.limits, limits)

  const { client: slow } = await limited(scene, alice, { writes_per_day: 5 })
  const { data: made } = await slow.call(api.createBot, { body: { webhook: { name: 'Porter' } } })
  const { data: own } = await alice.call(api.listBotTokens, { params: { id: made.id } })
  assert.deepEqual(own[0]?.limits, { writes_per_day: 5 })
})

test('a bot sends to another address what its token hears, not what its other tokens hear', async (t) => {
  const scene = await world(t)
  const { alice, office, ctx } = scene
  const { data: bot } = await alice.call(api.createBot, { body: { webhook: { name: 'Clerk' } } })
  const { data } = await alice.call(api.issueBotToken, {
    params: { id: bot.id },
    body: { name: 'x', scopes: ['bot_self:webhook:write'], limits: { chat_ids: [office.id] } },
  })
  const self = createClient({ base_url: `${scene.url}/v1`, token: data.token })
  const move = (path: string) =>
    self.call(api.setOwnWebhook, { body: { webhook: { outgoing_url: `https://example.org/${path}` } } })
  assert.equal((await refusal(move('a'))).rule, 'token.limits.chat_ids')
  await ctx.db.deleteFrom('tokens').where('user_id', '=', bot.id).where('id', '<>', data.id).execute()
  assert.equal((await move('b')).data.webhook.outgoing_url, 'https://example.org/b')
})

test('the archive of an export is closed to a token with limits on chats', async (t) => {
  const scene = await world(t)
  const { owner, office } = scene
  await owner.call(api.orderExport, { body: { start_at: '2025-01-01', end_at: '2025-01-02' } })
  await scene.drain()
  const { data } = await owner.call(api.listExports)
  const { client, token_id } = await limited(scene, owner, { chat_ids: [office.id] })
  await scene.ctx.db
    .updateTable('tokens')
    .set({ scopes: scopesOf('owner') })
    .where('id', '=', token_id)
    .execute()
  const params = { id: data[0]?.id as number }
  assert.equal((await refusal(client.call(api.downloadExport, { params }))).rule, 'token.limits.chat_ids')
})

test('a bot whose tokens are kept to chats hears of those alone, by webhook and in its queue', async (t) => {
  const scene = await world(t)
  const { alice, bot, office, ctx } = scene
  const hook = await scene.listen(bot, ['message_new'])
  await ctx.db
    .updateTable('bots')
    .set({ events_history_enabled: true })
    .where('user_id', '=', bot.id)
    .execute()
  const { data: other } = await alice.call(api.createChat, {
    body: { chat: { name: 'other', member_ids: [bot.id] } },
  })
  const buttons = [[{ text: 'Go', data: 'go' }]]
  const { data: asked } = await bot.call(api.createMessage, {
    body: { message: { entity_id: other.id, content: 'well?', buttons } },
  })
  await scene.drain()
  hook.requests.length = 0
  await ctx.db.deleteFrom('queued_events').execute()
  await ctx.db
    .updateTable('tokens')
    .set({ limits: JSON.stringify({ chat_ids: [office.id] }) })
    .where('user_id', '=', bot.id)
    .execute()
  await alice.call(api.createMessage, saying(other.id, 'not for the bot'))
  await alice.call(api.createMessage, saying(office.id, 'for the bot'))
  const press = { params: { id: asked.id }, body: { row: 0, column: 0 } }
  assert.equal((await refusal(alice.call(api.pressButton, press))).status, 422)
  await scene.drain()
  assert.deepEqual(
    hook.received.map((body) => (body as { content?: string }).content),
    ['for the bot'],
  )
  const { data } = await bot.call(api.listWebhookEvents)
  assert.equal(data.length, 1)
  // The end of the last token lets it hear no more than before.
  const { data: tokens } = await alice.call(api.listBotTokens, { params: { id: bot.id } })
  for (const { id } of tokens) await alice.call(api.revokeBotToken, { params: { id: bot.id, token_id: id } })
  await alice.call(api.createMessage, saying(other.id, 'still not for the bot'))
  await scene.drain()
  assert.equal(hook.received.length, 1)
})
