import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, card, person } from '../testing/shapes.js'
import { find, matches } from './find.js'

const known = {
  titleOf: ({ name }: { name: string }) => name,
  commands: [{ name: 'new', title: 'New chat' }],
  chats: [],
  people: [],
  me: 9,
}

test('every word that was typed begins a word of the name, in any order and case', () => {
  assert.ok(matches('тр рел', 'Релизный «Трек»'))
  assert.ok(matches('', 'anything'))
  assert.ok(!matches('lease', 'Release train'))
})

test('a chat of exactly the name that was typed comes before others', () => {
  const cards = [
    card(1, { name: 'Room 370', unread_count: 1 }),
    card(2, { name: 'Room 37', last_message_at: at(1) }),
    card(3, { name: 'Room 371', last_message_at: at(9) }),
  ]
  const found = find('room 37', { ...known, cards })
  assert.deepEqual(
    found.map((one) => one.kind === 'chat' && one.title),
    ['Room 37', 'Room 370', 'Room 371'],
  )
})

test('what is unread comes first, and nobody stands there twice', () => {
  const cards = [
    card(1, { name: 'Quiet', last_message_at: at(9) }),
    card(2, { name: 'Unread', unread_count: 3 }),
    card(3, { name: 'Mira', kind: 'personal', personal_user_id: 4, mention_count: 1, unread_count: 1 }),
    card(5, { name: 'Left', my_role: null }),
  ]
  const people = [person(4, 'Mira K'), person(6, 'Lena O'), person(9, 'Me M')]
  const found = find('', { ...known, cards, people })
  assert.deepEqual(
    found.map((one) => (one.kind === 'person' ? one.person.name : one.title)),
    ['Mira', 'Unread', 'Quiet', 'Lena O', 'New chat'],
  )
})
