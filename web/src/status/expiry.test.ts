import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryOf } from './expiry.js'

test('a status ends after its time, at the end of the day, or never', () => {
  const now = new Date(2030, 0, 31, 22, 15)
  assert.equal(expiryOf('never', now), null)
  assert.equal(expiryOf('half_hour', now), new Date(2030, 0, 31, 22, 45).toISOString())
  assert.equal(expiryOf('today', now), new Date(2030, 1, 1).toISOString())
  assert.equal(expiryOf('week', now), new Date(2030, 1, 7, 22, 15).toISOString())
})
