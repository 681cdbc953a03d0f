import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, card } from '../testing/shapes.js'
import { unreadOf } from './unread.js'

test('unread chats that call the person come first, then the latest', () => {
  const cards = [
    card(1, { unread_count: 1, last_message_at: at(1) }),
    card(2, { unread_count: 0, last_message_at: at(9) }),
    card(3, { unread_count: 4, last_message_at: at(5) }),
    card(4, { unread_count: 2, mention_count: 1, last_message_at: at(0) }),
    card(5, { unread_count: 2, kind: 'personal', last_message_at: at(2) }),
    card(6, { unread_count: 2, archived: true }),
    card(7, { unread_count: 2, my_role: null }),
    card(8, { unread_count: 2, mention_count: 1, kind: 'thread' }),
  ]
  const ids = unreadOf(new Map(cards.map((one) => [one.id, one]))).map(({ id }) => id)
  assert.deepEqual(ids, [5, 4, 3, 1])
})
