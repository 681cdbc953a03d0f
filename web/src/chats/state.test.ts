import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change, LiveFrame } from '../platform/changes.js'
import { at, card, frame, message } from '../testing/shapes.js'
import { keepParts, listingOf, totalUnread } from './listing.js'
import { type Chats, chats } from './state.js'

const ME = 9
const after = (changes: readonly Change[], from: Chats) =>
  changes.reduce((state, change) => chats.reduce(state, change), from)
const live = (told: LiveFrame): Change => ({ type: 'live', me: ME, frame: told })
const one = (more = {}) => new Map([[1, card(1, more)]])
const said = (id: number, more = {}) => live(frame('message.created', {}, { message: message(id, more) }))

test('a message of somebody else is unread, also when it is told twice', () => {
  const state = after([said(5), said(5), said(6, { mentioned: true })], one())
  const { unread_count, mention_count, last_message_id, last_message } = state.get(1) ?? {}
  assert.deepEqual([unread_count, mention_count, last_message_id], [2, 1, 6])
  assert.equal(last_message?.content, 'message 6')
})

test('own messages and those that a newer card counts already are not counted', () => {
  const state = after([said(5, { user_id: ME }), said(6)], one({ last_message_id: 6, unread_count: 1 }))
  assert.equal(state.get(1)?.unread_count, 1)
})

test('a message that I sent from another device takes what was counted away', () => {
  const state = after([said(5, { mentioned: true }), said(6, { user_id: ME })], one({ read_message_id: 4 }))
  const { unread_count, mention_count, read_message_id } = state.get(1) ?? {}
  assert.deepEqual([unread_count, mention_count, read_message_id], [0, 0, 6])
  const visitor = after([said(6, { user_id: ME })], one({ my_role: null, read_message_id: null }))
  assert.equal(visitor.get(1)?.read_message_id, null)
})

test('the read pointer takes what was counted away, here and from another device', () => {
  const moved = live(frame('read.moved', { user_id: ME, message_id: 6 }))
  const state = after([said(5), said(6), moved], one())
  assert.deepEqual([state.get(1)?.unread_count, state.get(1)?.read_message_id], [0, 6])
  const others = live(frame('read.moved', { user_id: 4, message_id: 6 }))
  assert.equal(after([said(5), others], one()).get(1)?.unread_count, 1)
})

test('a chat that I was removed from leaves the list', () => {
  const removed = (user_ids: number[]) => live(frame('chat_members.removed', { user_ids }))
  assert.equal(after([removed([4])], one()).size, 1)
  assert.equal(after([removed([ME])], one()).size, 0)
})

test('the list goes by activity, favourites first, without what I am not in', () => {
  const all = [
    card(1, { last_message_at: at(1) }),
    card(2, { last_message_at: at(9) }),
    card(3, { kind: 'channel' }),
    card(4, { kind: 'personal', unread_count: 2 }),
    card(5, { my_role: null }),
    card(6, { archived: true, unread_count: 7 }),
    card(7, { unread_count: 3, mention_count: 1 }),
    card(8, { kind: 'thread', unread_count: 2, mention_count: 2 }),
  ]
  const state = new Map(all.map((entry) => [entry.id, entry]))
  const listing = listingOf(state, [3], [])
  assert.deepEqual(
    [listing.favourites, listing.chats, listing.channels, listing.people].map((cards) =>
      cards.map(({ id }) => id),
    ),
    [[3], [2, 1, 7], [], [4]],
  )
  assert.deepEqual(totalUnread(state, []), { unread: 5, mentions: 3 })
  assert.deepEqual(totalUnread(state, [4]), { unread: 3, mentions: 1 })
})

test('a list that did not change stays the same object', () => {
  const cards = new Map([card(1), card(2), card(3, { kind: 'channel' })].map((one) => [one.id, one]))
  const before = listingOf(cards, [], [])
  const busy = new Map(cards).set(1, card(1, { unread_count: 1 }))
  const now = keepParts(before, listingOf(busy, [], []))
  assert.equal(now.channels, before.channels)
  assert.equal(now.people, before.people)
  assert.equal(now.chats.find(({ id }) => id === 1)?.unread_count, 1)
})

test('known chats stay beside the first page of a start, until the last page says which are gone', () => {
  const kind = (id: number) => (id === 4 ? 'thread' : 'conversation')
  const known = new Map([1, 2, 3, 4].map((id) => [id, card(id, { name: 'old', kind: kind(id) })]))
  const started = (next_chats: string | null): Change =>
    ({ type: 'started', start: { chats: [card(3)], next_chats } }) as unknown as Change
  assert.deepEqual([...after([started(null)], known).keys()], [3])
  const page: Change = { type: 'more_chats', chats: [card(2)], heard: [] }
  const shown = after([started('cursor'), page], known)
  assert.deepEqual(
    [...shown.values()].map(({ id, name }) => [id, name]),
    [1, 2, 3].map((id) => [id, id === 1 ? 'old' : card(id).name]),
  )
  assert.deepEqual([...after([{ type: 'chats_gone', ids: new Set([1]) }], shown).keys()], [2, 3])
})

test('what was heard while a page was on its way is newer than the page, and changes its chats alone', () => {
  const removed = live(frame('chat_members.removed', { user_ids: [ME] }, { chat_id: 2 }))
  const read = live(frame('read.moved', { user_id: ME, message_id: 5, unread_count: 0 }, { chat_id: 3 }))
  const page: Change = { type: 'more_chats', chats: [card(1), card(2)], heard: [said(5), removed, read] }
  const state = after([page], new Map([[3, card(3, { unread_count: 2 })]]))
  assert.deepEqual([...state.values()].map(({ id, unread_count }) => [id, unread_count]).sort(), [
    [1, 1],
    [3, 2],
  ])
})
