import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createBot,
  deleteBot,
  getBot,
  getTokenInfo,
  listBots,
  listCompanyBots,
  rotateInboundUrl,
  rotateSigningSecret,
  setOwnWebhook,
  updateBot,
} from '@parley/contract'
import type { Person, World } from '../testing/world.js'
import { world } from '../testing/world.js'

const named = (name: string, more: object = {}) => ({ body: { webhook: { name, ...more } } })
const refused = { status: 403, code: 'not_authorized' }

async function newBot(person: Person, more: object = {}) {
  const { data } = await person.call(createBot, named('Deploy', more))
  return data
}

/** What the log says of bots, oldest first. */
async function logged({ ctx }: World) {
  const rows = await ctx.db
    .selectFrom('audit_events')
    .select(['event_key', 'actor_id', 'entity_type', 'entity_id', 'details'])
    .orderBy('sequence')
    .execute()
  return rows.filter(({ event_key }) => event_key.startsWith('bot_') || event_key.startsWith('company_bots'))
}

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
  for (const name of ['Бот погоды', 'Бот погоды', 'Deploy Bot', '¡¿', '🤖']) {
    nicknames.push((await alice.call(createBot, named(name))).data.webhook.nickname)
  }
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

test('settings that no bot may have are refused', async (t) => {
  const { alice } = await world(t)
  const { id } = await newBot(alice)
  const change = (webhook: object) => alice.call(updateBot, { params: { id }, body: { webhook } })
  const make = (webhook: object) => alice.call(createBot, named('Y', webhook))

  const wrong: [object, string][] = [
    [{ outgoing_url: 'ftp://example.org/x' }, 'invalid_webhook_url'],
    [{ outgoing_url: 'not a url' }, 'invalid_webhook_url'],
    [{ outgoing_url: 'http://10.0.0.1/hook' }, 'invalid_webhook_url'],
    [{ commands: ['deploy'] }, 'invalid'],
    [{ commands: [`/${'a'.repeat(200)}`, `/${'b'.repeat(200)}`] }, 'too_long'],
    [{ name: ' ' }, 'blank'],
  ]
  for (const [settings, code] of wrong) {
    await assert.rejects(change(settings), { status: 422, code })
    await assert.rejects(make(settings), { status: 400, code })
  }
  const listed: object[] = [
    { events: ['message_sent'] },
    { trigger_on: 'mentions' },
    { who_can_add: 'nobody' },
    { can_edit: ['everybody'] },
    { scopes: ['bots:read'] },
    { scopes: ['drafts:write'] },
    { scopes: ['all'] },
    { scopes: ['bot'] },
  ]
  for (const settings of listed) {
    await assert.rejects(change(settings), { status: 400, code: 'inclusion' })
    await assert.rejects(make(settings), { status: 400, code: 'inclusion' })
  }
  await assert.rejects(make({ name: undefined }), { status: 400, code: 'blank' })
})

test('a change touches what is passed, replaces lists whole and is in the audit log', async (t) => {
  const stage = await world(t)
  const { alice } = stage
  const { id } = await newBot(alice, { commands: ['/a'], scopes: ['messages:read', 'chats:read'] })
  const webhook = {
    commands: ['/b', '/c'],
    outgoing_url: 'https://example.org/hook',
    scopes: ['messages:read', 'messages:create'],
    can_edit: ['admin' as const],
    trigger_on: 'all_messages' as const,
  }
  const { data } = await alice.call(updateBot, { params: { id }, body: { webhook } })
  assert.deepEqual(data.webhook.commands, ['/b', '/c'])
  assert.deepEqual(data.webhook.scopes, ['messages:read', 'messages:create'])
  assert.equal(data.webhook.name, 'Deploy')

  const about = { bot_id: id, actor_id: alice.id }
  const lines = (await logged(stage)).map(({ event_key, details }) => ({ event_key, details }))
  assert.deepEqual(lines, [
    { event_key: 'bot_token_created', details: about },
    {
      event_key: 'bot_webhook_settings_updated',
      details: {
        ...about,
        changes: {
          outgoing_url: { previous: '', new: 'https://example.org/hook' },
          can_edit: { previous: [], new: ['admin'] },
        },
      },
    },
    {
      event_key: 'bot_scopes_updated',
      details: { ...about, added_scopes: ['messages:create'], removed_scopes: ['chats:read'] },
    },
  ])
})

test('single_chat is set at birth; later it is left aside, and the answer says so', async (t) => {
  const { alice } = await world(t)
  const { id } = await newBot(alice, { single_chat: true })
  const body = { webhook: { single_chat: false, challenge_key: 'challenge' } }
  const { headers, body: answer } = await alice.send(updateBot, { params: { id }, body })
  assert.equal(answer.data.webhook.single_chat, true)
  assert.equal(answer.data.webhook.challenge_key, 'challenge')
  assert.equal(headers.get('parley-ignored'), 'single_chat')
})

test('scopes taken away stop working at once', async (t) => {
  const { alice, url } = await world(t)
  const bot = await newBot(alice, { scopes: ['profile:read'] })
  const profile = () =>
    fetch(`${url}/v1/profile`, { headers: { Authorization: `Bearer ${bot.access_token}` } })
  assert.equal((await profile()).status, 200)
  await alice.call(updateBot, { params: { id: bot.id }, body: { webhook: { scopes: [] } } })
  assert.equal((await profile()).status, 403)
})

test('whoever comes second with a change of the same bot is refused', async (t) => {
  const { alice, ctx } = await world(t)
  const { id } = await newBot(alice)
  const client = await ctx.pool.connect()
  await client.query('begin')
  await client.query('update bots set version = version + 1 where user_id = $1', [id])
  const call = alice.call(updateBot, { params: { id }, body: { webhook: { challenge_key: 'x' } } })
  const second = assert.rejects(call, { status: 409, code: 'bot_changed_concurrently' })
  const waits = async () => {
    const { rows } = await ctx.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rows.length > 0
  }
  while (!(await waits()));
  await client.query('commit')
  client.release()
  await second
})

test('who sees and edits a bot: its creator, and whoever can_edit names', async (t) => {
  const { alice, bob, admin, owner, mia, bot, office, ctx } = await world(t)
  const read = (person: Person) => person.call(getBot, { params: { id: bot.id } })
  const rename = (person: Person) =>
    person.call(updateBot, { params: { id: bot.id }, body: { webhook: { name: `By ${person.id}` } } })
  const tune = (person: Person) =>
    person.call(updateBot, { params: { id: bot.id }, body: { webhook: { challenge_key: `${person.id}` } } })
  const mine = async (person: Person) => (await person.call(listBots)).data.map(({ id }) => id)

  assert.equal((await read(alice)).data.id, bot.id)
  for (const person of [bob, admin, owner]) await assert.rejects(read(person), refused)
  await assert.rejects(read(mia), { status: 403, code: 'insufficient_scope' })
  assert.deepEqual(await mine(alice), [bot.id])
  assert.deepEqual(await mine(owner), [])
  await assert.rejects(alice.call(getBot, { params: { id: 424242 } }), { status: 404, code: 'not_found' })
  await assert.rejects(alice.call(getBot, { params: { id: bob.id } }), { status: 404, code: 'not_found' })

  await ctx.db
    .updateTable('bots')
    .set({ can_edit: ['admin'] })
    .where('user_id', '=', bot.id)
    .execute()
  for (const person of [admin, owner]) {
    assert.equal((await rename(person)).data.webhook.name, `By ${person.id}`)
    assert.ok((await read(person)).data.signing_secret)
    assert.deepEqual(await mine(person), [bot.id])
  }
  await assert.rejects(tune(bob), refused)

  await ctx.db
    .updateTable('bots')
    .set({ can_edit: ['chat_owners'] })
    .where('user_id', '=', bot.id)
    .execute()
  await assert.rejects(tune(bob), refused)
  await ctx.db
    .updateTable('chat_members')
    .set({ role: 'admin' })
    .where('chat_id', '=', office.id)
    .where('user_id', '=', bob.id)
    .execute()
  assert.equal((await tune(bob)).data.webhook.challenge_key, `${bob.id}`)
  assert.deepEqual(await mine(bob), [bot.id])
  const seen = await read(bob)
  assert.equal(seen.data.signing_secret, undefined)
  assert.equal(seen.data.webhook.inbound_url, undefined)
  assert.deepEqual(seen.data.permissions, {
    update_oauth_client: false,
    recreate_token: false,
    destroy: false,
  })
  await assert.rejects(rename(bob), refused)
  await assert.rejects(bob.call(deleteBot, { params: { id: bot.id } }), refused)
})

test('where integrations are for admins, others make none and lose their own', async (t) => {
  const { alice, admin, bot, ctx } = await world(t)
  await ctx.db.updateTable('workspace').set({ integrations: 'admins' }).execute()
  await assert.rejects(alice.call(createBot, named('No')), refused)
  await assert.rejects(alice.call(getBot, { params: { id: bot.id } }), refused)
  assert.deepEqual((await alice.call(listBots)).data, [])
  const { data } = await admin.call(createBot, named('Yes'))
  assert.equal(data.creator_id, admin.id)
})

test('only an admin turns on hearing of links, and aims it', async (t) => {
  const { alice, admin, bot, ctx } = await world(t)
  const change = (person: Person, webhook: object) =>
    person.call(updateBot, { params: { id: bot.id }, body: { webhook } })
  await assert.rejects(change(alice, { events: ['message_link_shared'] }), refused)
  await assert.rejects(change(alice, { unfurl_domains: ['example.org'] }), refused)
  await assert.rejects(alice.call(createBot, named('L', { events: ['message_link_shared'] })), refused)
  await ctx.db
    .updateTable('bots')
    .set({ can_edit: ['admin'] })
    .where('user_id', '=', bot.id)
    .execute()
  const webhook = { events: ['message_link_shared'], unfurl_domains: ['Example.org'] }
  const { data } = await change(admin, webhook)
  assert.deepEqual(data.webhook.unfurl_domains, ['example.org'])
  for (const domain of ['https://a.org', 'a.org/x', 'a.org:80', '10.0.0.1', 'localhost']) {
    await assert.rejects(change(admin, { unfurl_domains: [domain] }), { status: 422, code: 'invalid' })
  }
  await assert.rejects(change(alice, { outgoing_url: 'https://example.org/x' }), refused)
  await assert.rejects(change(alice, { events_history_enabled: true }), refused)
  await change(alice, { challenge_key: 'fine' })
  const self = bot.call(setOwnWebhook, { body: { webhook: { outgoing_url: 'https://example.org' } } })
  await assert.rejects(self, refused)
})

test('a bot sets its own address, and sees the short form of itself', async (t) => {
  const { bot, alice } = await world(t)
  const { data } = await bot.call(setOwnWebhook, {
    body: { webhook: { outgoing_url: 'https://example.org/hook' } },
  })
  assert.deepEqual(Object.keys(data).sort(), ['id', 'oauth_client', 'webhook'])
  assert.equal(data.webhook.outgoing_url, 'https://example.org/hook')
  for (const later of ['kind', 'unfurl_domains', 'last_request_at'])
    assert.equal(later in data.webhook, false)
  const bad = bot.call(setOwnWebhook, { body: { webhook: { outgoing_url: 'nowhere' } } })
  await assert.rejects(bad, { status: 422, code: 'invalid_webhook_url' })
  const foreign = alice.call(setOwnWebhook, { body: { webhook: { outgoing_url: '' } } })
  await assert.rejects(foreign, { status: 403, code: 'insufficient_scope' })
})

test('turning the inbound webhook on again gives a new address; both secrets can be renewed', async (t) => {
  const { alice } = await world(t)
  const { id, webhook, signing_secret } = await newBot(alice)
  const set = async (kind: 'gitlab' | 'simple' | null) =>
    (await alice.call(updateBot, { params: { id }, body: { webhook: { kind } } })).data.webhook.inbound_url
  assert.equal(await set('gitlab'), webhook.inbound_url)
  assert.equal(await set(null), null)
  await assert.rejects(alice.call(rotateInboundUrl, { params: { id } }), {
    status: 422,
    code: 'not_applicable',
  })
  const again = await set('simple')
  assert.ok(again && again !== webhook.inbound_url)
  const turned = await alice.call(rotateInboundUrl, { params: { id } })
  assert.notEqual(turned.data.webhook.inbound_url, again)
  const renewed = await alice.call(rotateSigningSecret, { params: { id } })
  assert.notEqual(renewed.data.signing_secret, signing_secret)
})

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

test('bots are found by part of their name, page by page', async (t) => {
  const { alice } = await world(t)
  for (const name of ['Alpha one', 'Beta', 'alphabet 100%']) await alice.call(createBot, named(name))
  const names = async (query: string) =>
    (await alice.call(listBots, { query: { query } })).data.map(({ webhook }) => webhook.name)
  assert.deepEqual(await names('ALPHA'), ['alphabet 100%', 'Alpha one'])
  assert.deepEqual(await names('0%'), ['alphabet 100%'])
  assert.deepEqual(await names('_'), ['Helper_bot'])
  const first = await alice.call(listBots, { query: { limit: 2 } })
  assert.equal(first.meta.paginate.has_next, true)
  const cursor = first.meta.paginate.next_page
  const rest = await alice.call(listBots, { query: { limit: 2, cursor } })
  assert.equal(new Set([...first.data, ...rest.data].map(({ id }) => id)).size, 4)
})

test('the owner sees every bot, of foreign ones the name alone, and the log says that he looked', async (t) => {
  const stage = await world(t)
  const { alice, admin, owner, bot } = stage
  const own = await newBot(owner)
  const { data } = await owner.call(listCompanyBots)
  assert.deepEqual(
    data.map(({ id }) => id),
    [own.id, bot.id],
  )
  assert.equal(data[0]?.webhook.trigger_on, 'commands')
  const { name, nickname, ...settings } = data[1]?.webhook ?? {}
  assert.deepEqual({ name, nickname }, { name: 'Helper_bot', nickname: 'helper_bot' })
  assert.ok(Object.values(settings).every((value) => value === null))
  const found = await owner.call(listCompanyBots, { query: { query: 'deploy' } })
  assert.deepEqual(
    found.data.map(({ id }) => id),
    [own.id],
  )
  for (const person of [alice, admin])
    await assert.rejects(person.call(listCompanyBots), { status: 403, code: 'insufficient_scope' })
  const looks = (await logged(stage)).filter(({ event_key }) => event_key === 'company_bots_accessed')
  assert.equal(looks.length, 2)
  assert.equal(looks[0]?.entity_id, String(owner.id))
})
