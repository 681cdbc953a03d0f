import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUser, getUser, updateUser } from '@parley/contract'
import { world } from '../testing/world.js'
import { inviting } from '../users/testing-users.js'

test('licences end the growth of active employees, not of guests and suspended people', async (t) => {
  const { admin, ctx, news, person } = await world(t)
  const spare = await person({ nickname: 'spare', suspended: true })
  await ctx.db.updateTable('workspace').set({ licenses: 5 }).execute()
  await admin.call(createUser, inviting({ email: 'sixth@example.org' }))
  const over = { status: 422, code: 'licenses_limit' }
  await assert.rejects(admin.call(createUser, inviting({ email: 'seventh@example.org' })), over)
  await admin.call(createUser, inviting({ email: 'asleep@example.org', suspended: true }))
  await admin.call(createUser, inviting({ email: 'g@example.org', role: 'guest', chat_ids: [news.id] }))
  await admin.call(createUser, inviting({ email: 'm@example.org', role: 'multi_guest', chat_ids: [news.id] }))
  const wake = admin.call(updateUser, { params: { id: spare.id }, body: { user: { suspended: false } } })
  await assert.rejects(wake, over)
  const { data } = await admin.call(getUser, { params: { id: spare.id } })
  assert.equal(data.suspended, true)
})

test('the last licence is taken once, however many ask for it at once', async (t) => {
  const { admin, ctx } = await world(t)
  await ctx.db.updateTable('workspace').set({ licenses: 5 }).execute()
  const asked = [1, 2, 3, 4].map((n) => admin.call(createUser, inviting({ email: `n${n}@example.org` })))
  const states = (await Promise.allSettled(asked)).map(({ status }) => status).sort()
  assert.deepEqual(states, ['fulfilled', 'rejected', 'rejected', 'rejected'])
})
