import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBot, rotateInboundUrl, rotateSigningSecret, setOwnWebhook, updateBot } from '@parley/contract'
import { beginBeside, untilBlocked } from '../testing/locks.js'
import { world } from '../testing/world.js'
import { logged, named, newBot } from './testing-bots.js'

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
    [{ commands: ['/привет'] }, 'invalid'],
    [{ commands: ['/a,b'] }, 'invalid'],
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
  const bot = await newBot(alice, { scopes: ['users:read'] })
  const people = () => fetch(`${url}/v1/users`, { headers: { Authorization: `Bearer ${bot.access_token}` } })
  assert.equal((await people()).status, 200)
  await alice.call(updateBot, { params: { id: bot.id }, body: { webhook: { scopes: [] } } })
  assert.equal((await people()).status, 403)
})

test('whoever comes second with a change of the same bot is refused', async (t) => {
  const w = await world(t)
  const { alice } = w
  const { id } = await newBot(alice)
  const first = await beginBeside(t, w)
  await first.query('update bots set version = version + 1 where user_id = $1', [id])
  const call = alice.call(updateBot, { params: { id }, body: { webhook: { challenge_key: 'x' } } })
  const second = assert.rejects(call, { status: 409, code: 'bot_changed_concurrently' })
  await untilBlocked(w)
  await first.query('commit')
  await second
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
