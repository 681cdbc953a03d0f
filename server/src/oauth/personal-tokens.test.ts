import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createPersonalToken,
  deletePersonalToken,
  getProfile,
  getTokenInfo,
  listPersonalTokens,
  listUsers,
  listWorkspaceTokens,
  revokeWorkspaceToken,
  updatePersonalToken,
} from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { type World, world } from '../testing/world.js'

const HOUR_MS = 3_600_000

function bearer({ url }: World, token: string) {
  return createClient({ base_url: `${url}/v1`, token })
}

async function audits({ ctx }: World) {
  const rows = await ctx.db.selectFrom('audit_events').selectAll().orderBy('sequence').execute()
  return rows.map(({ event_key, actor_id, entity_type, entity_id, details }) => [
    event_key,
    actor_id,
    entity_type,
    entity_id,
    details,
  ])
}

test('a personal token works as far as its scopes, and its value is shown once', async (t) => {
  const stage = await world(t)
  const { alice, as } = stage
  const session = await as(alice.id, { session: true })
  const { data } = await session.call(createPersonalToken, {
    body: { name: ' Script ', scopes: ['profile:read', 'profile:read'] },
  })
  const { access_token, ...shown } = data
  assert.equal(shown.name, 'Script')
  assert.deepEqual(shown.scopes, ['profile:read'])
  assert.equal(shown.token, `${access_token.slice(0, 8)}...${access_token.slice(-4)}`)
  assert.equal(shown.expires_in, null)
  assert.equal(shown.last_used_at, null)

  const token = bearer(stage, access_token)
  assert.equal((await token.call(getProfile)).data.id, alice.id)
  await assert.rejects(token.call(listUsers), { status: 403, code: 'insufficient_scope' })
  const listed = (await session.call(listPersonalTokens)).data.find(({ id }) => id === shown.id)
  assert.ok(listed?.last_used_at)
  assert.ok(!JSON.stringify(listed).includes(access_token))
  const entity = ['AccessToken', String(shown.id), { scopes: ['profile:read'] }]
  assert.deepEqual(await audits(stage), [['access_token_created', alice.id, ...entity]])
})

test('a token holds no scope that its owner may not hold', async (t) => {
  const { alice, mia, as } = await world(t)
  const create = async (id: number, scope: string) =>
    (await as(id, { session: true })).call(createPersonalToken, {
      body: { name: 'x', scopes: [scope] as never },
    })
  const refused = { status: 400, code: 'inclusion' }
  for (const scope of ['users:create', 'bot_self:write', 'bot_self:webhook:write', 'all', 'bot'])
    await assert.rejects(create(alice.id, scope), refused, scope)
  await assert.rejects(create(mia.id, 'chats:create'), refused)
  await create(mia.id, 'chats:read')
})

test('a token needs a name and a scope', async (t) => {
  const { alice, as } = await world(t)
  const session = await as(alice.id, { session: true })
  for (const body of [
    { name: ' ', scopes: ['chats:read'] },
    { name: '', scopes: ['chats:read'] },
    { name: 'x', scopes: [] },
  ])
    await assert.rejects(session.call(createPersonalToken, { body: body as never }), {
      status: 422,
      code: 'blank',
    })
})

test('where tokens are for admins, others gain no new access and keep what they have', async (t) => {
  const stage = await world(t)
  const { ctx, alice, admin, as } = stage
  const session = await as(alice.id, { session: true })
  const body = { name: 'old', scopes: ['profile:read', 'users:read'] as const }
  const { data } = await session.call(createPersonalToken, { body: { ...body, scopes: [...body.scopes] } })
  await ctx.db.updateTable('workspace').set({ personal_tokens: 'admins' }).execute()

  const closed = { status: 403, code: 'not_authorized' }
  const more = { name: 'new', scopes: ['profile:read' as const] }
  await assert.rejects(session.call(createPersonalToken, { body: more }), closed)
  await bearer(stage, data.access_token).call(getProfile)
  const params = { id: data.id }
  await session.call(updatePersonalToken, { params, body: { name: 'older', scopes: ['profile:read'] } })
  const wider = session.call(updatePersonalToken, {
    params,
    body: { scopes: ['profile:read', 'users:read'] },
  })
  await assert.rejects(wider, closed)
  await (await as(admin.id, { session: true })).call(createPersonalToken, { body: more })
})

test('changed scopes hold at the next request', async (t) => {
  const stage = await world(t)
  const { alice, bob, as } = stage
  const session = await as(alice.id, { session: true })
  const { data } = await session.call(createPersonalToken, { body: { name: 'x', scopes: ['users:read'] } })
  const token = bearer(stage, data.access_token)
  await token.call(listUsers)
  const params = { id: data.id }
  const edited = await session.call(updatePersonalToken, { params, body: { scopes: ['profile:read'] } })
  assert.deepEqual([edited.data.name, edited.data.scopes], ['x', ['profile:read']])
  await assert.rejects(token.call(listUsers), { status: 403, code: 'insufficient_scope' })
  await token.call(getProfile)
  const other = await as(bob.id, { session: true })
  await assert.rejects(other.call(updatePersonalToken, { params, body: { name: 'mine' } }), { status: 404 })
  const last = (await audits(stage)).at(-1)
  assert.deepEqual([last?.[0], last?.[4]], ['access_token_updated', { scopes: ['profile:read'] }])
  const { length } = await audits(stage)
  for (const body of [{}, { name: 'x', scopes: ['profile:read' as const] }])
    await session.call(updatePersonalToken, { params, body })
  assert.equal((await audits(stage)).length, length)
})

test('a revoked token is dead at the next request and listed no more', async (t) => {
  const stage = await world(t)
  const { alice, bob, as } = stage
  const session = await as(alice.id, { session: true })
  const { data } = await session.call(createPersonalToken, { body: { name: 'x', scopes: ['users:read'] } })
  const token = bearer(stage, data.access_token)
  await token.call(getTokenInfo)
  const params = { id: data.id }
  const other = await as(bob.id, { session: true })
  await assert.rejects(other.call(deletePersonalToken, { params }), { status: 404 })
  await session.call(deletePersonalToken, { params })
  await assert.rejects(token.call(getTokenInfo), { status: 401, code: 'invalid_token' })
  await assert.rejects(session.call(deletePersonalToken, { params }), { status: 404 })
  assert.ok(!(await session.call(listPersonalTokens)).data.some(({ id }) => id === data.id))
  const last = (await audits(stage)).at(-1)
  assert.deepEqual([last?.[0], last?.[4]], ['access_token_destroy', { scopes: ['users:read'] }])
})

test('owner and admins see every token and end any of them', async (t) => {
  const { alice, bot, admin, as } = await world(t)
  const session = await as(admin.id, { session: true })
  const { data } = await session.call(listWorkspaceTokens)
  assert.ok(data.some(({ user_id, kind }) => user_id === bot.id && kind === 'bot'))
  const [hers] = (await session.call(listWorkspaceTokens, { query: { user_id: alice.id } })).data
  assert.deepEqual([hers?.user_id, hers?.kind], [alice.id, 'personal'])
  const params = { id: hers?.id as number }
  await alice.call(getTokenInfo)
  await session.call(revokeWorkspaceToken, { params })
  await assert.rejects(alice.call(getTokenInfo), { status: 401, code: 'invalid_token' })
  await assert.rejects(session.call(revokeWorkspaceToken, { params }), { status: 404 })
  const mine = await as(alice.id, { session: true })
  const closed = { status: 403, code: 'not_authorized' }
  await assert.rejects(mine.call(listWorkspaceTokens), closed)
  await assert.rejects(mine.call(revokeWorkspaceToken, { params }), closed)
  await assert.rejects(admin.call(listWorkspaceTokens), closed)
})

test('the use of a token is noted at most once an hour', async (t) => {
  const { alice, clock } = await world(t)
  clock.freeze(true)
  const used = async () => (await alice.call(getTokenInfo)).data.last_used_at
  const first = await used()
  assert.equal(first, new Date(clock.now()).toISOString())
  clock.advance(HOUR_MS - 1)
  assert.equal(await used(), first)
  clock.advance(1)
  assert.equal(await used(), new Date(clock.now()).toISOString())
})

test('token info tells of the token, of whatever holder, and masks it', async (t) => {
  const { bot } = await world(t)
  const { data } = await bot.call(getTokenInfo)
  assert.equal(data.user_id, bot.id)
  assert.equal(data.token, `${bot.token.slice(0, 8)}...${bot.token.slice(-4)}`)
  assert.deepEqual([data.revoked_at, data.expires_in, data.name], [null, null, null])
})

test('a guest has no tokens of his own', async (t) => {
  const { person, as } = await world(t)
  const guest = await person({ role: 'guest', nickname: 'guest' })
  const session = await as(guest.id, { session: true })
  const refused = session.call(createPersonalToken, { body: { name: 'x', scopes: ['chats:read'] } })
  await assert.rejects(refused, { status: 403, code: 'not_authorized' })
})
