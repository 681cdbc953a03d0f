import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf } from '../platform/format.js'
import { datesAgo } from './dates.js'

test('a week and a month ago begin at midnight, also at the end of a long month', () => {
  const { week, month, start } = datesAgo(new Date(2031, 2, 31, 15, 30))
  assert.deepEqual([dayOf(week), dayOf(month)], ['2031-03-24', '2031-02-28'])
  assert.equal(week.getHours(), 0)
  assert.equal(start.getTime(), 0)
  assert.equal(dayOf(datesAgo(new Date(2031, 0, 5)).month), '2030-12-05')
})
