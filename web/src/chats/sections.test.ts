import assert from 'node:assert/strict'
import { test } from 'node:test'
import { card } from '../testing/shapes.js'
import { listingOf } from './listing.js'
import {
  addSection,
  moveSection,
  putChat,
  readSections,
  removeSection,
  renameSection,
  sectionOf,
} from './sections.js'

const two = addSection(addSection([], 'a', 'Clients'), 'b', 'Later')

test('sections are made, renamed, moved and taken away', () => {
  assert.deepEqual(
    moveSection(two, 'b', -1).map(({ id }) => id),
    ['b', 'a'],
  )
  assert.equal(moveSection(two, 'a', -1), two)
  assert.equal(moveSection(two, 'b', 1), two)
  assert.equal(renameSection(two, 'a', 'Guests')[0]?.name, 'Guests')
  assert.deepEqual(
    removeSection(two, 'a').map(({ id }) => id),
    ['b'],
  )
})

test('a chat is in one section at most', () => {
  const put = putChat(putChat(two, 7, 'a'), 7, 'b')
  assert.deepEqual(
    put.map(({ chat_ids }) => chat_ids),
    [[], [7]],
  )
  assert.equal(sectionOf(put, 7), 'b')
  assert.equal(sectionOf(putChat(put, 7, null), 7), null)
})

test('the list shows a chat in its section, a favourite among the favourites, and others by kind', () => {
  const cards = [card(1), card(2), card(3, { kind: 'channel' })]
  const sections = putChat(putChat(putChat(two, 3, 'a'), 2, 'a'), 99, 'b')
  const listing = listingOf(new Map(cards.map((one) => [one.id, one])), [2], sections)
  assert.deepEqual(
    listing.sections.map(({ section, cards }) => [section.name, cards.map(({ id }) => id)]),
    [
      ['Clients', [3]],
      ['Later', []],
    ],
  )
  assert.deepEqual(
    [listing.favourites, listing.chats, listing.channels].map((all) => all.map(({ id }) => id)),
    [[2], [1], []],
  )
})

test('what another client wrote is taken as far as it makes sense', () => {
  assert.deepEqual(readSections('x'), [])
  assert.deepEqual(readSections([null, { id: 1 }, { id: 'a', name: 'A', chat_ids: [1, 'x', null] }]), [
    { id: 'a', name: 'A', chat_ids: [1] },
  ])
})
