import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TimelineMessage } from '@parley/contract'
import fc from 'fast-check'
import type { Change, PagePlace } from '../platform/changes.js'
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
  place: 'fresh',
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
    [{ type: 'page', chat_id: 1, place: { after: 2 }, page: page([message(3), message(7)]) }],
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

test('a page that continues messages which are no longer here is left out', () => {
  const newest = after([fresh([message(10), message(11)], true)])
  const older: Change = { type: 'page', chat_id: 1, place: { before: 8 }, page: page([message(7)]) }
  const newer: Change = {
    type: 'page',
    chat_id: 1,
    place: { after: 4 },
    page: page([message(5)], true, true),
  }
  for (const late of [older, newer]) assert.deepEqual(idsIn(after([late], newest)), [10, 11])
})

test('pages that come late, in any order, leave no gap between the messages', () => {
  const PAGE = 4
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(10), fc.nat()), { minLength: 5, maxLength: 60 }), (steps) => {
      const stored = [1, 2, 3, 4, 5, 6, 7, 8]
      let state = messages.initial
      /** Answers, each with what was applied since it was asked for. */
      const onTheWay: { answer: Change; heard: Change[] }[] = []
      const tell = (change: Change) => {
        for (const { heard } of onTheWay) heard.push(change)
        state = after([change], state)
      }
      const ask = (place: PagePlace, ids: number[]) => {
        const hasOlder = stored.some((id) => id < (ids[0] ?? 0))
        const hasNewer = stored.some((id) => id > (ids.at(-1) ?? stored.length))
        const data = ids.map((id) => message(id))
        onTheWay.push({
          answer: { type: 'page', chat_id: 1, place, page: page(data, hasOlder, hasNewer) },
          heard: [],
        })
      }
      for (const [step, random] of steps) {
        const [first = 0, last = 0] = [idsIn(state)?.[0], idsIn(state)?.at(-1)]
        const from = random % stored.length
        if (step <= 1) {
          stored.push(stored.length + 1)
          tell(live('message.created', message(stored.length)))
        } else if (step <= 3 && first > 0)
          ask({ before: first }, stored.filter((id) => id < first).slice(-PAGE))
        else if (step === 4 && last > 0) ask({ after: last }, stored.filter((id) => id > last).slice(0, PAGE))
        else if (step === 5) ask('fresh', stored.slice(-PAGE))
        else if (step === 6) ask('fresh', stored.slice(from, from + PAGE))
        else if (step === 7) {
          // Lost by the stream, which is noticed before anything else comes.
          stored.push(stored.length + 1)
          tell({ type: 'stale' })
        } else {
          const [next] = onTheWay.splice(random % Math.max(onTheWay.length, 1), 1)
          if (next && !next.heard.some(({ type }) => type === 'stale'))
            for (const change of [next.answer, ...next.heard]) tell(change)
        }
        const run = state.get(1)
        if (!run || run.stale) continue
        const shown = run.messages.map(({ id }) => id)
        const begin = stored.indexOf(shown[0] ?? 0)
        assert.deepEqual(shown, stored.slice(begin, begin + shown.length))
        assert.equal(run.has_older, begin > 0)
        assert.equal(run.has_newer, shown.at(-1) !== stored.at(-1))
      }
    }),
    { numRuns: 10_000 },
  )
})

test('reading back in a long chat cuts the far end and remembers that it goes on', () => {
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => message(from + index))
  const older: Change = { type: 'page', chat_id: 1, place: { before: 601 }, page: page(many(1, 600)) }
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

  const of = (type: string, user_id: number): Change => ({
    type: 'live',
    me: ME,
    frame: frame(type, { user_ids: [user_id] }, { chat_id: 7 }),
  })
  const followed = (changes: readonly Change[]) => after(changes, state).get(1)?.messages[0]?.thread
  assert.equal(followed([of('chat_members.removed', 3)]), shown)
  const left = followed([of('chat_members.removed', ME)])
  assert.deepEqual([left?.following, left?.unread_count], [false, 0])
  assert.equal(followed([of('chat_members.removed', ME), of('chat_members.added', ME)])?.following, true)
})

test('the line below a deleted message is as the page that was read last has it', () => {
  const line = {
    id: 70,
    chat_id: 7,
    last_reply_at: at(50),
    last_replier_ids: [3],
    following: true,
    unread_count: 0,
  }
  const parent = (replies_count: number) =>
    message(1, { deleted_at: at(60), thread: { ...line, replies_count } })
  const state = after([fresh([parent(2)]), fresh([parent(1)])])
  assert.equal(state.get(1)?.messages[0]?.thread?.replies_count, 1)
})

test('the answer to an own send does not replace what the stream told', () => {
  const told = message(5, { mentioned: true, user_id: ME })
  const state = after([fresh([]), live('message.created', told), { type: 'message', message: message(5) }])
  assert.equal(state.get(1)?.messages[0]?.mentioned, true)
})

test('twenty chats are kept, the one read longest ago goes first', () => {
  const reading = Array.from({ length: 25 }, (_, index): Change => {
    const chat_id = index + 1
    return { type: 'page', chat_id, place: 'fresh', page: page([message(index + 1, { chat_id })]) }
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
