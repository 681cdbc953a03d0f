import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TimelineMessage } from '@parley/contract'
import fc from 'fast-check'
import { at, message } from '../testing/shapes.js'
import { type Drawn, drawAgain, type Row, type RowsOf, rowsOf } from './rows.js'

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

const shown = (messages: readonly TimelineMessage[], more: Partial<RowsOf> = {}): RowsOf => ({
  messages,
  has_older: false,
  has_newer: false,
  new_after: null,
  waiting: [],
  me: 9,
  dayOf: (time) => time.slice(0, 10),
  ...more,
})

test('a waiting message names its author and its moment where it is of another day than the row above', () => {
  const entry = (key: string, second: number) =>
    ({ key, made_at: at(second) }) as unknown as RowsOf['waiting'][number]
  const mine = [message(1, { user_id: 9 })]
  const firsts = (...waiting: RowsOf['waiting'][number][]) =>
    rowsOf(shown(mine, { waiting })).flatMap((row) => (row.kind === 'waiting' ? [row.first] : []))
  const day_s = 86_400
  assert.deepEqual(firsts(entry('a', 60), entry('b', 61)), [false, false])
  assert.deepEqual(firsts(entry('a', -day_s), entry('b', -day_s), entry('c', 61)), [true, false, true])
})

test('rows that show the same stay the same objects, so that nothing is drawn again', () => {
  const messages = [message(1), message(2), message(3)]
  const before = drawAgain(null, shown(messages))
  const edited = message(2, { content: 'edited', changed_at: at(900) })
  const [first, , third] = messages as [TimelineMessage, TimelineMessage, TimelineMessage]
  const now = drawAgain(before, shown([first, edited, third, message(4)])).rows
  const same = drawAgain(before, shown([...messages, message(4)])).rows
  const kept = (rows: readonly Row[]) => rows.map((row) => before.rows.includes(row))
  assert.deepEqual(kept(same), [true, true, true, true, true, false])
  assert.deepEqual(kept(now), [true, true, true, false, true, false])
  assert.deepEqual(
    now.map(({ key }) => key),
    ['start', 'day-2030-01-31', 'm1', 'm2', 'm3', 'm4'],
  )
})

/** Messages of few authors over few days, some of them system lines or deleted. */
const message$ = fc
  .record({
    id: fc.integer({ min: 1, max: 12 }),
    user_id: fc.integer({ min: 8, max: 10 }),
    changed: fc.boolean(),
    system: fc.boolean(),
  })
  .map(({ id, user_id, changed, system }) =>
    message(id, {
      user_id,
      system,
      created_at: at(id * 20_000),
      deleted_at: changed ? at(900_000) : null,
    }),
  )
const view$ = fc.record({
  messages: fc
    .uniqueArray(message$, { selector: ({ id }) => id })
    .map((all) => all.sort((a, b) => a.id - b.id)),
  has_older: fc.boolean(),
  new_after: fc.constantFrom(null, 2, 5),
})

test('rows drawn again are those drawn at once, whatever was drawn before', () => {
  fc.assert(
    fc.property(fc.array(view$, { minLength: 1, maxLength: 4 }), fc.nat(12), (views, cut) => {
      let drawn: Drawn | null = null
      for (const { messages, ...more } of views) {
        for (const part of [messages.slice(0, cut), messages]) drawn = drawAgain(drawn, shown(part, more))
        assert.deepEqual(drawn?.rows, rowsOf(shown(messages, more)))
      }
    }),
  )
})
