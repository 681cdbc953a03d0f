import assert from 'node:assert/strict'
import { test } from 'node:test'
import { regroup } from './reactions.js'

test('reactions are grouped, counted once for each person, and gone with the last', () => {
  const by = (user_id: number, added: boolean) => ({ code: '👍', name: null, user_id, added, me: 9 })
  const one = regroup(regroup([], by(2, true)), by(2, true))
  assert.deepEqual(one, [{ code: '👍', name: null, count: 1, mine: false, user_ids: [2] }])
  const mine = regroup(regroup(one, by(9, true)), by(2, false))
  assert.deepEqual(mine, [{ code: '👍', name: null, count: 1, mine: true, user_ids: [9] }])
  assert.deepEqual(regroup(mine, by(9, false)), [])
})
