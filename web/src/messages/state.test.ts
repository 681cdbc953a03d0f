import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TimelineMessage } from '@parley/contract'
import fc from 'fast-check'
import type { Change } from '../platform/changes.js'
import { at, frame, message, page } from '../testing/shapes.js'
import { type Messages, messages } from './state.js'

const ME = 9
const after = (changes: readonly Change[], from: Messages = messages.initial) =>
  changes.reduce((state, change) => messages.reduce(state, change), from)
const live = (type: string, one: TimelineMessage): Change => ({
  type: 'live',
  me: ME,
  frame: frame(type, {}, { message: one }),
})
const fresh = (data: TimelineMessage[], has_older = false, has_newer = false): Change => ({
  type: 'page',
  chat_id: 1,
  side: 'fresh',
  page: page(data, has_older, has_newer),
})
const idsIn = (state: Messages) => state.get(1)?.messages.map(({ id }) => id)

/** The events of a chat: each message, then its edits, and for some the deletion. */
const history = fc
  .array(fc.record({ edits: fc.integer({ min: 0, max: 3 }), deleted: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((plan) =>
    plan.flatMap(({ edits, deleted }, index) => {
      const id = index + 1
      const told = [live('message.created', message(id))]
      for (let edit = 1; edit <= edits; edit += 1) {
        const changed_at = at(id + edit * 100)
        told.push(live('message.updated', message(id, { content: `edit ${edit}`, changed_at, edited: true })))
      }
      if (deleted) told.push(live('message.deleted', message(id, { content: '', deleted_at: at(9999) })))
      return told
    }),
  )

test('events in any order, each any number of times, end in the same messages', () => {
  fc.assert(
    fc.property(history, fc.infiniteStream(fc.nat()), (told, random) => {
      const start = after([fresh([])])
      const expected = after(told, start)
      const twice = [...told, ...told].map((change) => ({ change, at: random.next().value as number }))
      const shuffled = twice.sort((a, b) => a.at - b.at).map(({ change }) => change)
      assert.deepEqual(after(shuffled, start), expected)
    }),
    { numRuns: 500 },
  )
})

test('a page that is read between two events changes nothing that the events told', () => {
  fc.assert(
    fc.property(history, fc.nat(), fc.nat(), (told, a, b) => {
      const start = after([fresh([])])
      const expected = after(told, start)
      const readAt = a % (told.length + 1)
      const arrivesAt = readAt + (b % (told.length + 1 - readAt))
      const read = after(told.slice(0, readAt), start).get(1)?.messages ?? []
      const got = after([...told.slice(0, arrivesAt), fresh([...read]), ...told.slice(arrivesAt)], start)
      assert.deepEqual(got.get(1)?.messages, expected.get(1)?.messages)
    }),
    { numRuns: 500 },
  )
})

test('a message that comes while the newest are not shown is left to the next page', () => {
  const state = after([fresh([message(1), message(2)], false, true), live('message.created', message(7))])
  assert.deepEqual(idsIn(state), [1, 2])
  const newer = after(
    [{ type: 'page', chat_id: 1, side: 'newer', page: page([message(3), message(7)]) }],
    state,
  )
  assert.deepEqual(idsIn(newer), [1, 2, 3, 7])
  assert.equal(newer.get(1)?.has_newer, false)
})

test('a page that does not touch what is shown replaces it', () => {
  const state = after([
    fresh([message(100), message(101)], true),
    fresh([message(5), message(6)], true, true),
  ])
  assert.deepEqual(idsIn(state), [5, 6])
  assert.deepEqual([state.get(1)?.has_older, state.get(1)?.has_newer], [true, true])
})

test('reading back in a long chat cuts the far end and remembers that it goes on', () => {
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => message(from + index))
  const older: Change = { type: 'page', chat_id: 1, side: 'older', page: page(many(1, 600), false) }
  const run = after([fresh(many(601, 600), true), older]).get(1)
  assert.equal(run?.messages.length, 1000)
  assert.deepEqual([run?.messages[0]?.id, run?.has_older, run?.has_newer], [1, false, true])
})

test('a reply changes the line below the message of its thread', () => {
  const thread = {
    id: 70,
    chat_id: 7,
    replies_count: 1,
    last_reply_at: at(50),
    last_replier_ids: [3],
    following: true,
    unread_count: 0,
  }
  const reply = message(80, { chat_id: 7, root_chat_id: 1, entity_type: 'thread', entity_id: 70, user_id: 4 })
  const told: Change = {
    type: 'live',
    me: ME,
    frame: frame('message.created', {}, { chat_id: 7, message: reply }),
  }
  const state = after([fresh([message(1, { thread })]), told, told])
  const shown = state.get(1)?.messages[0]?.thread
  assert.deepEqual([shown?.replies_count, shown?.unread_count, shown?.last_replier_ids], [2, 1, [4, 3]])
})

test('the answer to an own send does not replace what the stream told', () => {
  const told = message(5, { mentioned: true, user_id: ME })
  const state = after([fresh([]), live('message.created', told), { type: 'message', message: message(5) }])
  assert.equal(state.get(1)?.messages[0]?.mentioned, true)
})

test('twenty chats are kept, the one read longest ago goes first', () => {
  const reading = Array.from({ length: 25 }, (_, index): Change => {
    const chat_id = index + 1
    return { type: 'page', chat_id, side: 'fresh', page: page([message(index + 1, { chat_id })]) }
  })
  assert.deepEqual(
    [...after(reading).keys()],
    Array.from({ length: 20 }, (_, index) => index + 6),
  )
})

test('a chat that grows while it is open keeps its newest messages, and reads the older ones again', () => {
  let state = after([fresh([message(1)])])
  for (let id = 2; id <= 2500; id += 1) state = after([live('message.created', message(id))], state)
  const run = state.get(1)
  assert.ok(run && run.messages.length <= 1200, `${run?.messages.length} messages are kept`)
  assert.equal(run.messages.at(-1)?.id, 2500)
  assert.equal(run.has_older, true)
})
