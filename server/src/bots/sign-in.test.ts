import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BotUpdateRequest,
  createBot,
  deleteBot,
  getBot,
  getTokenInfo,
  rotateBotClientSecret,
  updateBot,
} from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { authenticateClient } from '../oauth/clients.js'
import { openGrant } from '../oauth/grants.js'
import { scopesOf } from '../oauth/tokens.js'
import { transaction } from '../platform/db/transaction.js'
import { upload } from '../testing/upload.js'
import { type World, world } from '../testing/world.js'

const BACK = 'https://bot.example.org/back'
const HELPER = { name: 'Helper', nickname: 'other_helper_bot' }

type Change = Pick<BotUpdateRequest, 'oauth_client' | 'promo'>

function update({ alice, bot }: Pick<World, 'alice' | 'bot'>, change: Change) {
  return alice.call(updateBot, { params: { id: bot.id }, body: { webhook: {}, ...change } })
}

async function turnOn(scene: World, client: NonNullable<Change['oauth_client']> = {}) {
  const { data } = await update(scene, { oauth_client: { redirect_uris: [BACK], ...client } })
  return data as typeof data & { client_secret?: string }
}

/** The details of what the log has under a key, all of it done by alice and about the bot. */
async function audit({ ctx, alice, bot }: World, key: string) {
  const rows = await ctx.db
    .selectFrom('audit_events')
    .selectAll()
    .where('event_key', '=', key)
    .orderBy('sequence')
    .execute()
  for (const { actor_id, entity_type, entity_id } of rows)
    assert.deepEqual([actor_id, entity_type, entity_id], [alice.id, 'User', String(bot.id)])
  return rows.map(({ details }) => details)
}

/** A token that bob granted the bot. */
async function grant({ ctx, bot, bob, url }: World) {
  const granted = {
    bot_id: bot.id,
    bot_name: 'Helper',
    user_id: bob.id,
    scopes: ['chats:read'],
    resource: null,
  }
  const { value } = await transaction(ctx, (tx) => openGrant(tx, ctx, granted))
  return createClient({ base_url: `${url}/v1`, token: value })
}

test('turning sign-in on shows the secret once, and begins with every scope of a bot', async (t) => {
  const scene = await world(t)
  const data = await turnOn(scene)
  const { client_secret } = data
  assert.ok(client_secret && data.oauth_client)
  const { client_id, client_secret_preview } = data.oauth_client
  assert.deepEqual(data.oauth_client, {
    client_id,
    client_secret_preview,
    confidential: true,
    redirect_uris: [BACK],
    scopes: scopesOf('bot'),
  })
  assert.equal(client_secret_preview, `${client_secret.slice(0, 8)}...${client_secret.slice(-4)}`)
  await authenticateClient(scene.ctx.db, { client_id, client_secret })
  const { data: read } = await scene.alice.call(getBot, { params: { id: scene.bot.id } })
  // What was read can be sent back, with the id that was made here.
  const again = await update(scene, { oauth_client: read.oauth_client ?? null })
  assert.deepEqual(again.data.oauth_client, read.oauth_client)
  assert.equal(read.oauth_client_enabled, true)
  assert.ok(!('client_secret' in read))
  assert.deepEqual(await audit(scene, 'bot_oauth_client_updated'), [
    {
      bot_id: scene.bot.id,
      actor_id: scene.alice.id,
      client_id,
      changes: {
        confidential: { previous: null, new: true },
        redirect_uris: { previous: null, new: [BACK] },
        scopes: { previous: null, new: scopesOf('bot') },
      },
    },
  ])
})

test('while it is on, only what is passed changes', async (t) => {
  const scene = await world(t)
  await turnOn(scene, { scopes: ['chats:read'] })
  const { data } = await update(scene, { oauth_client: { scopes: ['chats:read', 'messages:read'] } })
  assert.deepEqual(data.oauth_client?.redirect_uris, [BACK])
  assert.deepEqual(data.oauth_client?.scopes, ['chats:read', 'messages:read'])
  assert.ok(!('client_secret' in data))
  const [, details, ...more] = await audit(scene, 'bot_oauth_client_updated')
  assert.deepEqual(details, {
    bot_id: scene.bot.id,
    actor_id: scene.alice.id,
    client_id: data.oauth_client?.client_id,
    changes: { scopes: { previous: ['chats:read'], new: ['chats:read', 'messages:read'] } },
  })
  assert.deepEqual(more, [])
})

test('a client without a secret gets one when it is made to keep it', async (t) => {
  const scene = await world(t)
  const first = await turnOn(scene, { confidential: false })
  assert.equal(first.client_secret, undefined)
  const { data } = await update(scene, { oauth_client: { confidential: true } })
  assert.ok('client_secret' in data)
})

test('turning it off ends what was granted, and turning it on again keeps id and secret', async (t) => {
  const scene = await world(t)
  const { oauth_client, client_secret } = await turnOn(scene)
  await update(scene, { promo: { description: 'Helps', published: true } })
  const granted = await grant(scene)
  await granted.call(getTokenInfo)
  const { data: off } = await update(scene, { oauth_client: null })
  assert.deepEqual([off.oauth_client, off.oauth_client_enabled, off.promo], [null, false, null])
  await assert.rejects(granted.call(getTokenInfo), { status: 401 })
  const client_id = oauth_client?.client_id as string
  assert.deepEqual(await audit(scene, 'bot_oauth_client_disabled'), [
    {
      bot_id: scene.bot.id,
      actor_id: scene.alice.id,
      client_id,
      deleted_access_tokens_count: 1,
      deleted_access_grants_count: 0,
    },
  ])
  const { data: on } = await update(scene, { oauth_client: {} })
  assert.equal(on.oauth_client?.client_id, client_id)
  assert.ok(!('client_secret' in on))
  await authenticateClient(scene.ctx.db, { client_id, client_secret })
})

test('deleting the bot ends what was granted to it', async (t) => {
  const scene = await world(t)
  await turnOn(scene)
  const granted = await grant(scene)
  await scene.alice.call(deleteBot, { params: { id: scene.bot.id } })
  await assert.rejects(granted.call(getTokenInfo), { status: 401 })
})

test('addresses to return to must be there and be safe, scopes must be known', async (t) => {
  const scene = await world(t)
  const odd: [NonNullable<Change['oauth_client']>, number, string][] = [
    [{}, 422, 'blank'],
    [{ redirect_uris: [] }, 422, 'blank'],
    [{ redirect_uris: ['http://bot.example.org/back'] }, 422, 'invalid'],
    [{ redirect_uris: [`${BACK}#x`] }, 422, 'invalid'],
    [{ redirect_uris: ['app://back'] }, 422, 'invalid'],
    [{ redirect_uris: Array.from({ length: 21 }, (_, index) => `${BACK}/${index}`) }, 422, 'too_long'],
    [{ redirect_uris: [BACK], scopes: ['everything'] }, 400, 'inclusion'],
  ]
  for (const [oauth_client, status, code] of odd)
    await assert.rejects(update(scene, { oauth_client }), { status, code })
  await turnOn(scene, { redirect_uris: ['http://localhost/back', 'http://[::1]:80/back'] })
  const made = scene.alice.call(createBot, { body: { webhook: HELPER, oauth_client: {} } })
  await assert.rejects(made, { status: 400, code: 'blank' })
})

test('a bot can be made with sign-in on', async (t) => {
  const scene = await world(t)
  const body = { webhook: HELPER, oauth_client: { redirect_uris: [BACK] } }
  const { data } = await scene.alice.call(createBot, { body })
  assert.ok(data.client_secret)
  assert.equal(data.oauth_client_enabled, true)
})

test('a new secret takes the place of the old one at once, for those who manage the bot', async (t) => {
  const scene = await world(t)
  const call = { params: { id: scene.bot.id } }
  await assert.rejects(scene.alice.call(rotateBotClientSecret, call), { status: 400, code: 'not_applicable' })
  const { oauth_client, client_secret } = await turnOn(scene)
  const client_id = oauth_client?.client_id as string
  const { data } = await scene.alice.call(rotateBotClientSecret, call)
  await authenticateClient(scene.ctx.db, { client_id, client_secret: data.client_secret })
  await assert.rejects(authenticateClient(scene.ctx.db, { client_id, client_secret }), { status: 401 })
  assert.deepEqual(await audit(scene, 'bot_oauth_client_secret_rotated'), [
    { bot_id: scene.bot.id, actor_id: scene.alice.id, client_id },
  ])
  await assert.rejects(scene.bob.call(rotateBotClientSecret, call), { status: 403, code: 'not_authorized' })
  const nowhere = { params: { id: 999_999 } }
  await assert.rejects(scene.alice.call(rotateBotClientSecret, nowhere), { status: 404 })
  await update(scene, { oauth_client: { confidential: false } })
  await assert.rejects(scene.alice.call(rotateBotClientSecret, call), { status: 400 })
})

test('the page of a bot needs sign-in, and a description once it is published', async (t) => {
  const scene = await world(t)
  const refused = update(scene, { promo: { description: 'Helps' } })
  await assert.rejects(refused, { status: 422, code: 'not_applicable' })
  await turnOn(scene)
  await assert.rejects(update(scene, { promo: { published: true } }), { status: 422, code: 'blank' })
  const key = await upload(scene.alice, 'shot.png', 'pixels')
  const { data } = await update(scene, {
    promo: { description: 'Helps', published: true, promo_images: [key] },
  })
  const url = `${scene.url}/bots/${scene.bot.id}/promo/0`
  assert.deepEqual(data.promo, { description: 'Helps', published: true, promo_images: [{ key, url }] })
  const read = { webhook: { challenge_key: 'x' }, promo: data.promo as never }
  const again = await scene.alice.call(updateBot, { params: { id: scene.bot.id }, body: read })
  assert.deepEqual(again.data.promo, data.promo)
  assert.equal(await (await fetch(url)).text(), 'pixels')
  assert.equal((await fetch(`${url}7`)).status, 404)
  const foreign = await upload(scene.bob, 'shot.png', 'pixels')
  await assert.rejects(update(scene, { promo: { promo_images: [foreign] } }), {
    status: 422,
    code: 'invalid',
  })
  const { data: kept } = await update(scene, { promo: { published: false } })
  assert.equal(kept.promo?.description, 'Helps')
  assert.equal((await update(scene, { promo: null })).data.promo, null)
})

test('pictures of a page outlive the sweep of unused uploads', async (t) => {
  const scene = await world(t)
  await turnOn(scene)
  const key = await upload(scene.alice, 'shot.png', 'pixels')
  await update(scene, { promo: { description: 'Helps', promo_images: [key] } })
  scene.clock.advance(30 * 86_400_000)
  await scene.drain()
  assert.ok(await scene.ctx.storage.stat(key))
})
