import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restBefore } from './flush-index.js'

test('few pages are flushed each second, many when enough of them came together', () => {
  assert.equal(restBefore(0, 1000), 1000)
  assert.equal(restBefore(31, 1000), 1000)
  assert.equal(restBefore(32, 1000), 4000)
  assert.equal(restBefore(200, 1000), 1920)
  assert.equal(restBefore(384, 1920), 1920)
  // They come faster now.
  assert.equal(restBefore(1000, 1920), 1000)
  assert.equal(restBefore(5000, 1000), 1000)
  // They come slower again.
  assert.equal(restBefore(40, 4000), 1000)
  assert.equal(restBefore(200, 4000), 4000)
})
