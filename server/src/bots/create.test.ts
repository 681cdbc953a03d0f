import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBot, getBot, updateBot } from '@parley/contract'
import { world } from '../testing/world.js'
import { named, newBot } from './testing-bots.js'

test('a new bot has a token, an inbound address, a secret, and the settings of a fresh one', async (t) => {
  const { alice, ctx, url } = await world(t)
  const bot = await newBot(alice)

  assert.deepEqual(
    { ...bot.webhook, scopes: [], inbound_url: '' },
    {
      name: 'Deploy',
      nickname: 'deploy_bot',
      outgoing_url: '',
      events: ['message_new'],
      trigger_on: 'commands',
      commands: [],
      scopes: [],
      template: '',
      template_engine: 'liquid',
      challenge_key: '',
      link_preview_enabled: true,
      ignore_self_messages: false,
      events_history_enabled: false,
      single_chat: false,
      can_edit: [],
      who_can_add: 'creator',
      kind: 'simple',
      unfurl_domains: [],
      last_request_at: null,
      last_request: null,
      paused_at: null,
      inbound_url: '',
    },
  )
  assert.match(bot.webhook.inbound_url ?? '', new RegExp(`^${url}/webhooks/[\\w-]{32}$`))
  assert.match(bot.signing_secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(bot.creator_id, alice.id)
  assert.equal(bot.name, 'Deploy')
  assert.deepEqual(bot.permissions, { update_oauth_client: true, recreate_token: true, destroy: true })
  assert.ok(bot.webhook.scopes.includes('messages:create'))
  assert.ok(!bot.webhook.scopes.includes('bots:read'))

  assert.ok(bot.access_token.length >= 43)
  const memberships = await ctx.db
    .selectFrom('chat_members')
    .where('user_id', '=', bot.id)
    .selectAll()
    .execute()
  assert.deepEqual(memberships, [])
})

test('its token works, and reads never show it', async (t) => {
  const { alice, url } = await world(t)
  const bot = await newBot(alice)
  const answer = await fetch(`${url}/v1/oauth/token/info`, {
    headers: { Authorization: `Bearer ${bot.access_token}` },
  })
  const { data } = (await answer.json()) as { data: { user_id: number; name: string | null; token: string } }
  assert.equal(data.user_id, bot.id)
  assert.equal(data.name, null)
  const read = await alice.call(getBot, { params: { id: bot.id } })
  assert.ok(!JSON.stringify(read).includes(bot.access_token))
})

test('an empty bot has neither token nor inbound address', async (t) => {
  const { alice } = await world(t)
  const { data } = await alice.call(createBot, { body: { webhook: { name: 'Later' }, empty: true } })
  assert.equal('access_token' in data, false)
  assert.equal(data.webhook.kind, null)
  assert.equal(data.webhook.inbound_url, null)
  assert.deepEqual(data.webhook.scopes, [])
})

test('the older wrapper is read too, with a webhook in it or without', async (t) => {
  const { alice } = await world(t)
  const whole = { bot: { webhook: { name: 'One', trigger_on: 'all_messages' } } } as never
  const short = { bot: { name: 'Two', nickname: 'second_bot' } } as never
  const one = await alice.call(createBot, { body: whole })
  assert.equal(one.data.webhook.trigger_on, 'all_messages')
  const two = await alice.call(createBot, { body: short })
  assert.equal(two.data.webhook.nickname, 'second_bot')
  await assert.rejects(alice.call(createBot, { body: {} as never }), { status: 400, code: 'required' })
})

test('a nickname is made from the name in any script, and digits are added until it is free', async (t) => {
  const { alice } = await world(t)
  const nicknames = []
  const ids = []
  for (const name of ['Бот погоды', 'Бот погоды', 'Deploy Bot', '¡¿', '🤖']) {
    const { data } = await alice.call(createBot, named(name))
    nicknames.push(data.webhook.nickname)
    ids.push(data.id)
  }
  assert.equal(Math.max(...ids) - Math.min(...ids), 4, 'no id is used up by a try')
  assert.deepEqual(nicknames, ['bot_pogody_bot', 'bot_pogody2_bot', 'deploy_bot', 'new_bot', 'new2_bot'])
})

test('a bad or taken nickname is refused, 400 for a new bot and 422 for a change', async (t) => {
  const { alice, bot } = await world(t)
  const make = (nickname: string) => alice.call(createBot, named('X', { nickname }))
  await assert.rejects(make('deploy'), { status: 400, code: 'invalid' })
  await assert.rejects(make('деплой_bot'), { status: 400, code: 'invalid' })
  await assert.rejects(make('helper_bot'), { status: 400, code: 'already_exists' })
  await assert.rejects(make(`${'x'.repeat(300)}_bot`), { status: 400, code: 'too_long' })

  const own = await newBot(alice)
  const change = (nickname: string) =>
    alice.call(updateBot, { params: { id: own.id }, body: { webhook: { nickname } } })
  await assert.rejects(change('nope'), { status: 422, code: 'invalid' })
  await assert.rejects(change('HELPER_bot'), { status: 422, code: 'already_exists' })
  const { data } = await change('deploy_two_bot')
  assert.equal(data.webhook.nickname, 'deploy_two_bot')
  assert.notEqual(bot.id, own.id)
})
