import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TimelineMessage } from '@parley/contract'
import { at, message } from '../testing/shapes.js'
import { keepRows, type RowsOf, rowsOf } from './rows.js'

const draw = (messages: TimelineMessage[], more: Partial<RowsOf> = {}) =>
  rowsOf({
    messages,
    has_older: true,
    has_newer: false,
    new_after: null,
    waiting: [],
    me: 9,
    dayOf: (time) => time.slice(0, 10),
    ...more,
  }).map((row) => (row.kind === 'message' ? `${row.first ? 'first' : 'more'} ${row.message.id}` : row.kind))

test('messages of one author stand together, but not over a day, a quote or a long pause', () => {
  const messages = [
    message(1),
    message(2),
    message(3, { user_id: 4 }),
    message(4, { user_id: 4, parent_message_id: 1 }),
    message(5, { user_id: 4, created_at: at(900) }),
    message(6, { user_id: 4, created_at: at(90_000) }),
  ]
  assert.deepEqual(draw(messages), [
    'day',
    'first 1',
    'more 2',
    'first 3',
    'first 4',
    'first 5',
    'day',
    'first 6',
  ])
})

test('the line stands above the first message of others that was not read', () => {
  const messages = [message(1), message(2, { user_id: 9 }), message(3), message(4)]
  assert.deepEqual(draw(messages, { new_after: 1 }), [
    'day',
    'first 1',
    'first 2',
    'new',
    'first 3',
    'more 4',
  ])
  assert.deepEqual(draw(messages, { new_after: 4 }), ['day', 'first 1', 'first 2', 'first 3', 'more 4'])
})

test('the beginning of the chat is told where it is known', () => {
  assert.deepEqual(draw([], { has_older: false }), ['start'])
})

test('rows that show the same stay the same objects, so that nothing is drawn again', () => {
  const of = (messages: TimelineMessage[]) =>
    rowsOf({
      messages,
      has_older: false,
      has_newer: false,
      new_after: null,
      waiting: [],
      me: 9,
      dayOf: (time) => time.slice(0, 10),
    })
  const messages = [message(1), message(2), message(3)]
  const before = of(messages)
  const edited = message(2, { content: 'edited', changed_at: at(900) })
  const now = keepRows(before, of([message(1), edited, message(3), message(4)]))
  const same = keepRows(before, of([...messages, message(4)]))
  assert.deepEqual(
    same.map((row) => before.includes(row)),
    [true, true, true, true, true, false],
  )
  assert.deepEqual(
    now.map(({ key }) => key),
    ['start', 'day-2030-01-31', 'm1', 'm2', 'm3', 'm4'],
  )
  assert.ok(!before.includes(now[3] as never), 'an edited message is drawn again')
})
