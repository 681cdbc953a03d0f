import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepLast } from './keep-last.js'

test('a cache holds the values that were used last, and no more of them', () => {
  const cache = keepLast<number, string>(3)
  for (const key of [1, 2, 3]) cache.set(key, `value ${key}`)
  cache.get(1)
  cache.set(4, 'value 4')
  assert.deepEqual([...cache.keys()].sort(), [1, 3, 4])
})
