import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMessage,
  getWorkspaceLimits,
  getWorkspaceUsage,
  previewRetention,
  previewUserDeletion,
} from '@parley/contract'
import { world } from '../testing/world.js'

const DAY_MS = 86_400_000

test('the size of the workspace and what a dangerous step would do are told in numbers', async (t) => {
  const w = await world(t)
  const owner = await w.as(w.owner.id, { session: true })
  const admin = await w.as(w.admin.id, { session: true })
  const alice = await w.as(w.alice.id, { session: true })

  const { data: usage } = await admin.call(getWorkspaceUsage)
  assert.deepEqual([usage.people, usage.guests, usage.bots, usage.licenses], [4, 1, 1, null])
  assert.equal(usage.chats, 2)
  assert.ok(usage.database_bytes > 0)
  await assert.rejects(alice.call(getWorkspaceUsage), { status: 403 })
  const { data: limits } = await admin.call(getWorkspaceLimits)
  assert.deepEqual(
    limits.rates.find(({ name }) => name === 'messages-chat'),
    { name: 'messages-chat', by: 'token-and-chat', requests: 4, window_s: 1 },
  )
  assert.ok(limits.upload_bytes > 0 && limits.upload_quota_bytes > 0)
  await assert.rejects(alice.call(getWorkspaceLimits), { status: 403 })

  await w.alice.call(createMessage, { body: { message: { entity_id: w.office.id, content: 'old' } } })
  w.clock.advance(3 * DAY_MS)
  await w.alice.call(createMessage, { body: { message: { entity_id: w.office.id, content: 'young' } } })
  const days = { conversation: 2, channel: null, personal: 1, thread: null }
  const { data } = await owner.call(previewRetention, { body: { days } })
  assert.deepEqual(data.messages, { conversation: 1, channel: 0, personal: 0, thread: 0 })
  await assert.rejects(admin.call(previewRetention, { body: { days } }), { status: 403 })

  const { data: deletion } = await admin.call(previewUserDeletion, { params: { id: w.alice.id } })
  assert.deepEqual(
    [deletion.chats, deletion.chats_created, deletion.scheduled],
    [3, 3, 0],
    'office, attic and news are hers',
  )
  assert.ok(deletion.tokens >= 2)
  await assert.rejects(admin.call(previewUserDeletion, { params: { id: w.bot.id } }), { status: 404 })
  await assert.rejects(alice.call(previewUserDeletion, { params: { id: w.alice.id } }), { status: 403 })
})
