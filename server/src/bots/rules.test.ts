import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BotUpdateRequest,
  createBot,
  deleteBot,
  deleteUser,
  getBot,
  listBots,
  setOwnWebhook,
  updateBot,
} from '@parley/contract'
import { type Person, world } from '../testing/world.js'
import { named, refused } from './testing-bots.js'

test('who sees and edits a bot: its creator, and whoever can_edit names', async (t) => {
  const { alice, bob, admin, owner, mia, bot, office, ctx } = await world(t)
  const read = (person: Person) => person.call(getBot, { params: { id: bot.id } })
  const change = (person: Person, body: BotUpdateRequest) =>
    person.call(updateBot, { params: { id: bot.id }, body })
  const rename = (person: Person) => change(person, { webhook: { name: `By ${person.id}` } })
  const tune = (person: Person) => change(person, { webhook: { challenge_key: `${person.id}` } })
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
  const oauth_client = { redirect_uris: ['https://bot.example.org/back'], scopes: ['chats:read'] }
  await change(alice, { webhook: {}, oauth_client, promo: { description: 'Helps' } })
  const { data: shown } = await read(bob)
  const back = { oauth_client: shown.oauth_client ?? null, promo: { description: 'Helps' } }
  const tuned = await change(bob, { webhook: { challenge_key: 'again' }, ...back })
  assert.equal(tuned.data.webhook.challenge_key, 'again')
  const other = { webhook: {}, oauth_client: { ...oauth_client, scopes: [] } }
  await assert.rejects(change(bob, other), refused)
  await assert.rejects(bob.call(deleteBot, { params: { id: bot.id } }), refused)
})

test('a bot whose creator was deleted is read, edited and deleted by admins', async (t) => {
  const { admin, alice, bob, bot, owner } = await world(t)
  const params = { id: bot.id }
  await assert.rejects(admin.call(getBot, { params }), { status: 403 })
  await owner.call(deleteUser, { params: { id: alice.id } })
  assert.equal((await admin.call(getBot, { params })).data.id, bot.id)
  await admin.call(updateBot, { params, body: { webhook: { name: 'Adopted' } } })
  await assert.rejects(bob.call(deleteBot, { params }), { status: 403 })
  await admin.call(deleteBot, { params })
  await assert.rejects(admin.call(getBot, { params }), { status: 404 })
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
