import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinPages, nextOf } from './pages.js'

test('a row that moved to the next page meanwhile is shown once', () => {
  assert.deepEqual(
    joinPages([3, 2], [2, 1], (id) => id),
    [3, 2, 1],
  )
})

test('a cursor is given on the last page too, and is not followed', () => {
  assert.equal(nextOf({ paginate: { has_next: true, next_page: 'a' } }), 'a')
  assert.equal(nextOf({ paginate: { has_next: false, next_page: 'a' } }), null)
  assert.equal(nextOf(undefined), null)
})
