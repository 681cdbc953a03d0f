import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutedIds, nextUnmute, notifications, settingsAt, USUAL, withChat } from './state.js'

const NOW = Date.parse('2030-01-01T12:00:00.000Z')
const chat = (chat_id: number, level: 'all' | 'nothing' | null, muted_until: string | null = null) => ({
  chat_id,
  level,
  muted_until,
})

test('a chat is muted by its level or until a time, and the next end is known', () => {
  const later = '2030-01-01T13:00:00.000Z'
  const chats = [
    chat(1, 'nothing'),
    chat(2, null, later),
    chat(3, 'all', '2030-01-01T11:00:00.000Z'),
    chat(4, 'all'),
  ]
  assert.deepEqual(mutedIds({ ...USUAL, chats }, NOW), [1, 2])
  assert.equal(nextUnmute({ ...USUAL, chats }, NOW), Date.parse(later))
  assert.equal(nextUnmute(USUAL, NOW), null)
})

test('settings of a chat take the place of earlier ones, and empty ones are dropped', () => {
  const set = withChat(withChat(USUAL, chat(1, 'nothing')), chat(1, 'all'))
  assert.deepEqual(set.chats, [chat(1, 'all')])
  assert.deepEqual(settingsAt(set, 1), chat(1, 'all'))
  assert.deepEqual(settingsAt(set, 2), chat(2, null))
  assert.deepEqual(withChat(set, chat(1, null)).chats, [])
})

test('settings come with the start, from other devices, and go with signing out', () => {
  const loud = { ...USUAL, level: 'all' as const }
  const frame = {
    type: 'notifications.changed',
    chat_id: null,
    actor_id: 1,
    created_at: '',
    payload: { user_id: 1, notifications: loud },
  }
  const heard = notifications.reduce(USUAL, { type: 'live', frame, me: 1 })
  assert.deepEqual(heard, loud)
  assert.deepEqual(notifications.reduce(heard, { type: 'signed_out' }), USUAL)
})
