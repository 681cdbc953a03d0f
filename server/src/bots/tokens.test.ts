import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createBot,
  issueBotToken,
  listBotScopes,
  listBotTokens,
  reissueBotToken,
  revokeBotToken,
  rotateBotToken,
  rotateOwnToken,
  updateBotToken,
} from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { scopesOf } from '../oauth/tokens.js'
import { type Person, world } from '../testing/world.js'

const refused = { status: 403, code: 'not_authorized' }

async function stage(...args: Parameters<typeof world>) {
  const made = await world(...args)
  const { data: bot } = await made.alice.call(createBot, { body: { webhook: { name: 'Deploy' } } })
  const status = async (token: string) => {
    const answer = await fetch(`${made.url}/v1/oauth/token/info`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    return answer.status
  }
  return { ...made, made: bot, status }
}

test('a token is issued with a name, shown whole once, and listed with a mask', async (t) => {
  const { alice, made, status } = await stage(t)
  const params = { id: made.id }
  const body = { name: 'CI', scopes: ['messages:create'] }
  const { data: issued } = await alice.call(issueBotToken, { params, body })
  assert.equal(await status(issued.token), 200)
  assert.deepEqual(issued.scopes, ['messages:create'])

  const { data } = await alice.call(listBotTokens, { params })
  assert.deepEqual(
    data.map(({ name }) => name),
    ['CI', null],
  )
  assert.equal(data[0]?.token, `${issued.token.slice(0, 8)}...${issued.token.slice(-4)}`)
  assert.equal(data[0]?.user_id, made.id)
  assert.equal(data[0]?.expires_in, null)
  assert.equal(data[0]?.authorized_at, null)
})

test('a token without scopes has none; scopes that no bot may hold are refused', async (t) => {
  const { alice, made } = await stage(t)
  const params = { id: made.id }
  const { data } = await alice.call(issueBotToken, { params, body: { name: 'Idle' } })
  assert.deepEqual(data.scopes, [])
  const issue = (body: object) => alice.call(issueBotToken, { params, body: body as never })
  for (const scope of ['bots:write', 'drafts:read', 'audit_events:read', 'all', 'bot', 'nonsense']) {
    await assert.rejects(issue({ name: 'X', scopes: [scope] }), { status: 400, code: 'inclusion' })
  }
  await assert.rejects(issue({ name: '' }), { status: 422, code: 'blank' })
  await assert.rejects(issue({}), { status: 422, code: 'blank' })
  await assert.rejects(issue({ name: 'x'.repeat(256) }), { status: 422, code: 'too_long' })
})

test('a change of name and scopes holds at once', async (t) => {
  const { alice, made, url, ctx } = await stage(t)
  const params = { id: made.id }
  const { data: issued } = await alice.call(issueBotToken, {
    params,
    body: { name: 'CI', scopes: ['users:read'] },
  })
  const people = () => fetch(`${url}/v1/users`, { headers: { Authorization: `Bearer ${issued.token}` } })
  assert.equal((await people()).status, 200)
  const change = {
    params: { ...params, token_id: issued.id },
    body: { name: 'Build', scopes: ['chats:read'] },
  }
  const { data } = await alice.call(updateBotToken, change)
  assert.equal(data.name, 'Build')
  assert.deepEqual(data.scopes, ['chats:read'])
  assert.match(data.token, /^.{8}\.\.\..{4}$/)
  assert.equal((await people()).status, 403)

  const audited = () => ctx.db.selectFrom('audit_events').select('id').execute()
  const before = await audited()
  for (const body of [{}, change.body]) {
    const same = await alice.call(updateBotToken, { ...change, body })
    assert.deepEqual([same.data.name, same.data.scopes], ['Build', ['chats:read']])
  }
  assert.equal((await audited()).length, before.length)
})

test('a reissued token keeps name and scopes and has a new value; a revoked one is gone', async (t) => {
  const { alice, made, status } = await stage(t)
  const { data: issued } = await alice.call(issueBotToken, {
    params: { id: made.id },
    body: { name: 'CI', scopes: ['chats:read'] },
  })
  const params = { id: made.id, token_id: issued.id }
  const { data: again } = await alice.call(reissueBotToken, { params })
  assert.deepEqual([again.id, again.name, again.scopes], [issued.id, 'CI', ['chats:read']])
  assert.equal(await status(issued.token), 401)
  assert.equal(await status(again.token), 200)
  await alice.call(revokeBotToken, { params })
  assert.equal(await status(again.token), 401)
  await assert.rejects(alice.call(revokeBotToken, { params }), { status: 404, code: 'not_found' })
})

test('the main token is the unnamed one, and the oldest once that is gone; without any there is nothing to renew', async (t) => {
  const { alice, made, status } = await stage(t)
  const params = { id: made.id }
  const { data: named } = await alice.call(issueBotToken, { params, body: { name: 'CI' } })
  const { data: renewed } = await alice.call(rotateBotToken, { params })
  assert.equal(await status(made.access_token), 401)
  assert.equal(await status(renewed.access_token), 200)
  assert.equal(await status(named.token), 200)

  const { data: tokens } = await alice.call(listBotTokens, { params })
  const main = tokens.find(({ name }) => name === null)
  await alice.call(revokeBotToken, { params: { ...params, token_id: main?.id as number } })
  const { data: other } = await alice.call(rotateBotToken, { params })
  assert.equal(await status(named.token), 401)
  await alice.call(revokeBotToken, { params: { ...params, token_id: named.id } })
  assert.equal(await status(other.access_token), 401)
  await assert.rejects(alice.call(rotateBotToken, { params }), { status: 404, code: 'not_found' })
})

test('a bot renews the token that it calls with, and no other', async (t) => {
  const { alice, made, status, url } = await stage(t)
  const params = { id: made.id }
  const body = { name: 'CI', scopes: ['bot_self:write'] }
  const { data: issued } = await alice.call(issueBotToken, { params, body })
  const self = createClient({ base_url: `${url}/v1`, token: issued.token })
  const { data } = await self.call(rotateOwnToken)
  assert.equal(data.id, made.id)
  assert.equal(await status(issued.token), 401)
  assert.equal(await status(data.access_token), 200)
  assert.equal(await status(made.access_token), 200)
  await assert.rejects(alice.call(rotateOwnToken), { status: 403, code: 'insufficient_scope' })
})

test('chat owners and strangers manage no tokens', async (t) => {
  const { alice, bob, admin, bot, office, ctx } = await stage(t)
  const bots = ctx.db.updateTable('bots').where('user_id', '=', bot.id)
  await bots.set({ can_edit: ['chat_owners'] }).execute()
  await ctx.db.updateTable('chat_members').set({ role: 'admin' }).where('chat_id', '=', office.id).execute()
  const token_id = 1
  const calls = (person: Person) => [
    () => person.call(listBotTokens, { params: { id: bot.id } }),
    () => person.call(issueBotToken, { params: { id: bot.id }, body: { name: 'X' } }),
    () => person.call(updateBotToken, { params: { id: bot.id, token_id }, body: { name: 'X' } }),
    () => person.call(reissueBotToken, { params: { id: bot.id, token_id } }),
    () => person.call(revokeBotToken, { params: { id: bot.id, token_id } }),
    () => person.call(rotateBotToken, { params: { id: bot.id } }),
    () => person.call(listBotScopes, { params: { id: bot.id } }),
  ]
  for (const person of [bob, admin]) for (const call of calls(person)) await assert.rejects(call(), refused)
  await bots.set({ can_edit: ['admin'] }).execute()
  assert.equal((await admin.call(listBotTokens, { params: { id: bot.id } })).data.length, 1)
  const foreign = { id: bot.id, token_id: 999_999 }
  await assert.rejects(alice.call(reissueBotToken, { params: foreign }), { status: 404, code: 'not_found' })
})

test('the catalogue holds every scope of bots, each in a group, with two presets', async (t) => {
  const { alice, made } = await stage(t)
  const { scopes, groups, presets } = await alice.call(listBotScopes, { params: { id: made.id } })
  assert.deepEqual(
    scopes.map(({ id }) => id),
    scopesOf('bot'),
  )
  const known = new Set(groups.map(({ id }) => id))
  assert.ok(scopes.every(({ group, title, id }) => known.has(group) && title !== id))
  assert.deepEqual(
    presets.map(({ id }) => id),
    ['read-only', 'admin'],
  )
  const reading = scopes.filter(({ preset }) => preset.includes('read-only')).map(({ id }) => id)
  assert.ok(reading.includes('messages:read') && !reading.includes('messages:create'))
})
