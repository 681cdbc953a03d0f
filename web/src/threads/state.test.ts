import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThreadInboxItem } from '@parley/contract'
import { at, frame, message } from '../testing/shapes.js'
import { threadInbox } from './state.js'

const ME = 1
const item = (id: number): ThreadInboxItem => ({
  thread: {
    id,
    chat_id: id + 100,
    root_chat_id: 1,
    replies_count: 1,
    last_reply_at: at(id),
    last_replier_ids: [2],
    following: true,
    unread_count: 0,
  },
  parent: message(id),
  last_replies: [message(id * 10, { chat_id: id + 100, entity_type: 'thread', entity_id: id })],
})
const inbox = threadInbox.reduce(threadInbox.initial, {
  type: 'thread_inbox',
  items: [item(2), item(1)],
  next: null,
  more: false,
})
const reply = message(50, { chat_id: 101, entity_type: 'thread', entity_id: 1, created_at: at(90) })
const heard = (type: string, payload = {}, more = {}) =>
  threadInbox.reduce(inbox, { type: 'live', me: ME, frame: frame(type, payload, more) })

test('a reply brings its thread to the top and counts as unread', () => {
  const { items } = heard('message.created', {}, { chat_id: 101, message: reply })
  assert.deepEqual(
    items?.map(({ thread }) => [thread.id, thread.replies_count, thread.unread_count]),
    [
      [1, 2, 1],
      [2, 1, 0],
    ],
  )
  assert.deepEqual(
    items?.[0]?.last_replies.map(({ id }) => id),
    [10, 50],
  )
  assert.equal(
    heard('message.created', {}, { chat_id: 101, message: { ...reply, user_id: ME } }).items?.[0]?.thread
      .unread_count,
    0,
  )
})

test('a reply that is deleted is shown no more, and counted no more', () => {
  const deleted = { ...item(1).last_replies[0], deleted_at: at(99) }
  const { items } = heard('message.deleted', {}, { chat_id: 101, message: deleted })
  assert.deepEqual(
    items?.map(({ thread, last_replies }) => [thread.id, thread.replies_count, last_replies.length]),
    [
      [2, 1, 1],
      [1, 0, 0],
    ],
  )
})

test('a thread that two pages hold is shown once', () => {
  const more = threadInbox.reduce(inbox, {
    type: 'thread_inbox',
    items: [item(1), item(0)],
    next: null,
    more: true,
  })
  assert.deepEqual(
    more.items?.map(({ thread }) => thread.id),
    [2, 1, 0],
  )
})

test('a read pointer clears its thread, and following is kept as it was answered', () => {
  const unread = threadInbox.reduce(inbox, {
    type: 'live',
    me: ME,
    frame: frame('message.created', {}, { chat_id: 101, message: reply }),
  })
  const read = frame('read.moved', { user_id: ME, message_id: 50 }, { chat_id: 101 })
  const cleared = threadInbox.reduce(unread, { type: 'live', me: ME, frame: read })
  assert.equal(cleared.items?.[0]?.thread.unread_count, 0)
  const left = threadInbox.reduce(inbox, { type: 'thread_followed', thread_id: 2, following: false })
  assert.deepEqual(
    left.items?.map(({ thread }) => thread.following),
    [false, true],
  )
})

test('what frames do not tell all of is to be read again', () => {
  const other = { ...reply, chat_id: 109, entity_id: 9 }
  const deleted = { ...item(1).last_replies[0], deleted_at: at(99) }
  const asks: [string, object, object, boolean][] = [
    ['message.created', {}, { chat_id: 109, message: other }, true],
    ['message.created', {}, { chat_id: 101, message: reply }, false],
    ['message.created', {}, { chat_id: 1, message: message(60) }, false],
    ['message.deleted', {}, { chat_id: 101, message: deleted }, true],
    ['message.deleted', {}, { chat_id: 101, message: { ...reply, deleted_at: at(99) } }, false],
    ['chat_members.added', { user_ids: [ME] }, { chat_id: 109 }, true],
    ['chat_members.added', { user_ids: [ME] }, { chat_id: 101 }, false],
    ['chat_members.removed', { user_ids: [ME] }, { chat_id: 101 }, false],
    ['chat_members.removed', { user_ids: [ME] }, { chat_id: 1 }, true],
    ['chat_members.removed', { user_ids: [2] }, { chat_id: 1 }, false],
  ]
  for (const [type, payload, more, expected] of asks)
    assert.equal(
      heard(type, payload, more).revision > inbox.revision,
      expected,
      `${type} ${JSON.stringify(more)}`,
    )
})
