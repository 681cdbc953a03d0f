import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idIn } from './address.js'

test('an address names a message, or with anything else none', () => {
  assert.equal(idIn('120'), 120)
  assert.equal(idIn('120).'), 120)
  for (const none of [undefined, '', 'abc', '-1', '0', '99999999999999999999']) assert.equal(idIn(none), null)
})
