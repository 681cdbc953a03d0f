import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getTokenInfo } from '@parley/contract'
import { world } from '../../testing/world.js'

test('a token tells about itself, masked, and notes its first use', async (t) => {
  const { alice, clock } = await world(t)
  const first = await alice.call(getTokenInfo)
  assert.equal(first.data.user_id, alice.id)
  assert.equal(first.data.token, `${alice.token.slice(0, 8)}...${alice.token.slice(-4)}`)
  const used = first.data.last_used_at
  assert.ok(used)
  clock.advance(3_599_000)
  assert.equal((await alice.call(getTokenInfo)).data.last_used_at, used)
  clock.advance(2_000)
  assert.notEqual((await alice.call(getTokenInfo)).data.last_used_at, used)
})

test('a revoked token is refused at the next request, a suspended holder too', async (t) => {
  const { alice, bob, ctx } = await world(t)
  await alice.call(getTokenInfo)
  await bob.call(getTokenInfo)
  await ctx.db.deleteFrom('tokens').where('user_id', '=', alice.id).execute()
  await assert.rejects(alice.call(getTokenInfo), { status: 401, code: 'invalid_token' })
  await ctx.db.updateTable('users').set({ suspended: true }).where('id', '=', bob.id).execute()
  await assert.rejects(bob.call(getTokenInfo), { status: 403, code: 'access_denied' })
  await ctx.db.updateTable('users').set({ suspended: false }).where('id', '=', bob.id).execute()
  await bob.call(getTokenInfo)
})

test('requests above the limit get plain text and a time to wait', async (t) => {
  const { alice, url, clock } = await world(t, { limits: true })
  clock.freeze(true)
  for (let count = 0; count < 50; count += 1) await alice.call(getTokenInfo)
  const refused = await fetch(`${url}/v1/oauth/token/info`, {
    headers: { Authorization: `Bearer ${alice.token}` },
  })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.match(refused.headers.get('content-type') ?? '', /^text\/plain/)
  assert.equal(await refused.text(), 'Too Many Requests')
  clock.advance(1000)
  const { headers } = await alice.send(getTokenInfo)
  assert.equal(headers.get('ratelimit-policy'), '"other";q=50;w=1')
  assert.equal(headers.get('ratelimit'), '"other";r=49;t=1')
})
