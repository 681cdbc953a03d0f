import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frame, person } from '../testing/shapes.js'
import { people } from './state.js'

test('the card that comes with every message changes nothing while it says nothing new', () => {
  const known = people.reduce(people.initial, { type: 'people', people: [person(2, 'Mira')] })
  const hear = (name: string) =>
    people.reduce(known, {
      type: 'live',
      me: 1,
      frame: frame('message.created', {}, { people: [person(2, name)] }),
    })
  assert.equal(hear('Mira'), known)
  assert.equal(hear('Mira Lane').get(2)?.name, 'Mira Lane')
})
