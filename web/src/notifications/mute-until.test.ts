import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutedUntil } from './mute-until.js'

test('a mute ends after an hour, a week, or on the next morning', () => {
  const now = new Date(2030, 0, 31, 23, 30)
  assert.deepEqual(mutedUntil('hour', now), new Date(2030, 1, 1, 0, 30))
  assert.deepEqual(mutedUntil('day', now), new Date(2030, 1, 1, 9, 0))
  assert.deepEqual(mutedUntil('week', now), new Date(2030, 1, 7, 23, 30))
})
