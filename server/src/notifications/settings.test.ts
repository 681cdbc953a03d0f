import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMessage,
  createThread,
  getNotificationSettings,
  getStart,
  leaveChat,
  setChatNotifications,
  updateNotificationSettings,
} from '@parley/contract'
import { world } from '../testing/world.js'

test('people set what they are told of, and their other devices hear it', async (t) => {
  const { bob, events } = await world(t)
  const usual = (await bob.call(getNotificationSettings)).data
  assert.deepEqual(usual, {
    level: 'mentions',
    keywords: [],
    quiet_hours: null,
    sound: true,
    mail_digest: 'off',
    mail_language: null,
    chats: [],
  })
  const change = { keywords: [' deploy ', 'deploy', 'ошибка'], quiet_hours: { from: '22:00', to: '07:30' } }
  const { data } = await bob.call(updateNotificationSettings, { body: { notifications: change } })
  const expected = { ...usual, keywords: ['deploy', 'ошибка'], quiet_hours: change.quiet_hours }
  assert.deepEqual(data, expected)
  await bob.call(updateNotificationSettings, { body: { notifications: { sound: false } } })
  const kept = { ...expected, sound: false }
  assert.deepEqual((await bob.call(getStart)).data.notifications, kept)
  const heard = (await events()).filter(({ type }) => type === 'notifications.changed')
  assert.deepEqual(heard.at(-1)?.payload, { user_id: bob.id, notifications: kept })
  const refused = (notifications: object) =>
    bob.call(updateNotificationSettings, { body: { notifications } }).then(
      () => 200,
      ({ status }) => status,
    )
  for (const wrong of [{ quiet_hours: { from: '24:00', to: '7' } }, { level: 'loud' }, { keywords: [''] }])
    assert.ok([400, 422].includes(await refused(wrong)), JSON.stringify(wrong))
})

test('nobody sets what another person is told of', async (t) => {
  const { alice, bob } = await world(t)
  const before = (await alice.call(getNotificationSettings)).data
  const notifications = { level: 'nothing' as const, user_id: alice.id, digest_sent_at: null }
  const { data } = await bob.call(updateNotificationSettings, { body: { notifications } })
  assert.equal(data.level, 'nothing')
  assert.deepEqual((await alice.call(getNotificationSettings)).data, before)
})

test('a member sets a chat or thread apart, until the chat is left', async (t) => {
  const { alice, bob, admin, office } = await world(t)
  const set = (
    who: typeof bob,
    id: number,
    body: { level: 'all' | 'nothing' | null; muted_until: string | null },
  ) => who.call(setChatNotifications, { params: { id }, body })
  const { data: root } = await bob.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'root' } },
  })
  const { data: thread } = await bob.call(createThread, { params: { id: root.id } })
  await set(bob, office.id, { level: 'nothing', muted_until: null })
  const { data } = await set(bob, thread.chat_id, { level: null, muted_until: '2040-01-01T03:00:00+03:00' })
  assert.deepEqual(data, { chat_id: thread.chat_id, level: null, muted_until: '2040-01-01T00:00:00.000Z' })
  const chats = async () => (await bob.call(getNotificationSettings)).data.chats.map(({ chat_id }) => chat_id)
  assert.deepEqual(await chats(), [office.id, thread.chat_id])
  await set(bob, thread.chat_id, { level: null, muted_until: null })
  assert.deepEqual(await chats(), [office.id])
  await bob.call(leaveChat, { params: { id: office.id } })
  assert.deepEqual(await chats(), [])
  await assert.rejects(set(admin, office.id, { level: 'all', muted_until: null }), { status: 404 })
  await assert.rejects(set(alice, office.id, { level: 'all', muted_until: 'soon' }), {
    status: 422,
    code: 'invalid',
  })
})
