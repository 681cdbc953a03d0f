import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEPT_AT_MOST, keepElements } from './kept-elements.js'

test('an item keeps its element, until so many others have been drawn that the old ones are let go', () => {
  const elementOf = keepElements((item: number) => ({ item }))
  const first = elementOf(0)
  for (let item = 1; item < KEPT_AT_MOST; item += 1) elementOf(item)
  assert.equal(elementOf(0), first)
  elementOf(KEPT_AT_MOST)
  assert.notEqual(elementOf(0), first)
})
