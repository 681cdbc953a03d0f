import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atDate, formAt, formOf, nthOf, presetsAt, scheduleOf } from './schedule.js'

const local = (text: string) => new Date(text).toISOString()

const { timeZone: time_zone } = new Intl.DateTimeFormat().resolvedOptions()

test('a schedule goes into its form and back', () => {
  const weekly = {
    start_date: local('2030-01-31T09:30'),
    end_date: local('2030-06-01T23:59:59'),
    time_zone,
    repetition: { interval: 'weekly' as const, days: [1, 4] },
  }
  assert.deepEqual(scheduleOf(formOf(weekly)), weekly)
  const monthly = {
    start_date: local('2030-01-31T09:30'),
    end_date: null,
    time_zone,
    repetition: { interval: 'monthly' as const, nth_day: 5 },
  }
  assert.deepEqual(scheduleOf(formOf(monthly)), monthly)
})

test('one that is sent once has no end, and one without a day is none', () => {
  const form = formAt(new Date('2030-01-31T09:30'))
  assert.deepEqual(scheduleOf({ ...form, end_date: '2030-02-01' }), {
    start_date: local('2030-01-31T09:30'),
    end_date: null,
    repetition: { interval: 'once' },
  })
  assert.equal(scheduleOf({ ...form, date: '' }), null)
})

test('a message that repeats on the weekday of its day follows the day, chosen weekdays stay', () => {
  const tuesday = formAt(new Date('2030-01-01T09:00'))
  assert.deepEqual(tuesday.days, [2])
  assert.deepEqual(atDate(tuesday, '2030-01-04').days, [5])
  // While a date is being typed there is none.
  assert.deepEqual(atDate(atDate(tuesday, ''), '2030-01-04').days, [5])
  assert.deepEqual(atDate({ ...tuesday, days: [1, 2] }, '2030-01-04').days, [1, 2])
})

test('presets are in an hour, tomorrow at nine and the next Monday at nine', () => {
  const { hour, tomorrow, monday } = presetsAt(new Date('2030-01-31T23:30:20'))
  assert.deepEqual(
    [hour, tomorrow, monday].map((at) => at.toISOString()),
    [local('2030-02-01T00:30'), local('2030-02-01T09:00'), local('2030-02-04T09:00')],
  )
  assert.equal(presetsAt(new Date('2030-02-04T08:00')).monday.toISOString(), local('2030-02-11T09:00'))
  assert.deepEqual(['2030-01-01', '2030-01-08', '2030-01-29'].map(nthOf), [1, 2, 5])
})
