import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ScheduleInterval } from '@parley/contract'
import fc from 'fast-check'
import { DAY_MS, offsetOf, parseTime } from '../platform/time.js'
import { dueOccurrence, nextAfter, nextSend, type Recurrence, takesNthDay } from './recurrence.js'

function rule(interval: ScheduleInterval, start: string, extra: Partial<Recurrence> = {}): Recurrence {
  return {
    interval,
    start_date: parseTime(start) as Date,
    end_date: null,
    utc_offset: offsetOf(start),
    time_zone: null,
    days: null,
    nth_day: null,
    ...extra,
  }
}

function sends(recurrence: Recurrence, count: number): string[] {
  const list: string[] = []
  let at: Date | null = new Date(recurrence.start_date.getTime() - 1)
  while (list.length < count) {
    at = nextAfter(recurrence, at)
    if (!at) break
    list.push(at.toISOString().slice(0, 16).replace('T', ' '))
  }
  return list
}

/** Every worked example of the behaviour of schedules, as [interval, start, extra, sends]. */
const EXAMPLES: [ScheduleInterval, string, Partial<Recurrence>, string[]][] = [
  ['once', '2026-09-17T15:00+03:00', {}, ['2026-09-17 12:00']],
  [
    'daily',
    '2026-09-17T12:00Z',
    {},
    ['2026-09-17 12:00', '2026-09-18 12:00', '2026-09-19 12:00', '2026-09-20 12:00'],
  ],
  ['daily', '2026-09-17T01:30+03:00', {}, ['2026-09-16 22:30', '2026-09-17 22:30']],
  ['weekly', '2026-09-17T12:00Z', {}, ['2026-09-17 12:00', '2026-09-24 12:00', '2026-10-01 12:00']],
  [
    'weekly',
    '2026-09-17T12:00Z',
    { days: [1, 3] },
    ['2026-09-21 12:00', '2026-09-23 12:00', '2026-09-28 12:00', '2026-09-30 12:00'],
  ],
  [
    'weekly',
    '2026-09-19T08:00Z',
    { days: [0, 6] },
    ['2026-09-19 08:00', '2026-09-20 08:00', '2026-09-26 08:00', '2026-09-27 08:00'],
  ],
  ['weekly', '2026-09-17T01:00+03:00', {}, ['2026-09-16 22:00', '2026-09-23 22:00']],
  ['weekly', '2026-09-17T01:00+03:00', { days: [4] }, ['2026-09-16 22:00', '2026-09-23 22:00']],
  ['weekly', '2026-09-16T22:00-05:00', { days: [3] }, ['2026-09-17 03:00', '2026-09-24 03:00']],
  ['monthly', '2026-10-01T01:00+03:00', {}, ['2026-09-30 22:00', '2026-10-31 22:00', '2026-11-30 22:00']],
  [
    'monthly',
    '2026-10-01T01:00+03:00',
    { nth_day: 1 },
    ['2026-09-30 22:00', '2026-11-04 22:00', '2026-12-02 22:00'],
  ],
  // The clocks go back on the 25th of October: 09:00 stays 09:00.
  [
    'daily',
    '2026-10-24T09:00+02:00',
    { time_zone: 'Europe/Oslo' },
    ['2026-10-24 07:00', '2026-10-25 08:00', '2026-10-26 08:00'],
  ],
  [
    'weekly',
    '2026-10-23T09:00+02:00',
    { time_zone: 'Europe/Oslo', days: [1, 5] },
    ['2026-10-23 07:00', '2026-10-26 08:00', '2026-10-30 08:00'],
  ],
  [
    'monthly',
    '2026-10-01T00:30+02:00',
    { time_zone: 'Europe/Oslo' },
    ['2026-09-30 22:30', '2026-10-31 23:30', '2026-11-30 23:30'],
  ],
  // 02:30 does not exist on the 28th of March 2027, and is there twice on the 31st of October.
  [
    'daily',
    '2027-03-27T02:30+01:00',
    { time_zone: 'Europe/Oslo' },
    ['2027-03-27 01:30', '2027-03-28 01:30', '2027-03-29 00:30'],
  ],
  [
    'daily',
    '2027-10-30T02:30+02:00',
    { time_zone: 'Europe/Oslo' },
    ['2027-10-30 00:30', '2027-10-31 00:30', '2027-11-01 01:30'],
  ],
  // The first Sunday of October has no 02:30 in Sydney; the second one has.
  [
    'monthly',
    '2026-09-13T02:30+10:00',
    { time_zone: 'Australia/Sydney', nth_day: 2 },
    ['2026-09-12 16:30', '2026-10-10 15:30', '2026-11-07 15:30'],
  ],
  [
    'monthly',
    '2026-09-06T02:30+10:00',
    { time_zone: 'Australia/Sydney', nth_day: 1 },
    ['2026-09-05 16:30', '2026-10-03 16:30', '2026-10-31 15:30'],
  ],
  [
    'monthly',
    '2027-01-31T09:00Z',
    {},
    [
      '2027-01-31 09:00',
      '2027-02-28 09:00',
      '2027-03-31 09:00',
      '2027-04-30 09:00',
      '2027-05-31 09:00',
      '2027-06-30 09:00',
      '2027-07-31 09:00',
    ],
  ],
  ['monthly', '2028-01-31T09:00Z', {}, ['2028-01-31 09:00', '2028-02-29 09:00', '2028-03-31 09:00']],
  [
    'monthly',
    '2026-09-17T12:00Z',
    { nth_day: 3 },
    ['2026-09-17 12:00', '2026-10-15 12:00', '2026-11-19 12:00', '2026-12-17 12:00'],
  ],
  [
    'monthly',
    '2026-09-17T12:00Z',
    { nth_day: 2 },
    ['2026-10-08 12:00', '2026-11-12 12:00', '2026-12-10 12:00', '2027-01-14 12:00'],
  ],
  [
    'monthly',
    '2026-09-29T07:00Z',
    { nth_day: 5 },
    ['2026-09-29 07:00', '2026-10-27 07:00', '2026-11-24 07:00', '2026-12-29 07:00', '2027-01-26 07:00'],
  ],
  [
    'every_2_months',
    '2026-08-31T10:00Z',
    {},
    ['2026-08-31 10:00', '2026-10-31 10:00', '2026-12-31 10:00', '2027-02-28 10:00', '2027-04-30 10:00'],
  ],
  [
    'every_3_months',
    '2026-11-30T10:00Z',
    {},
    ['2026-11-30 10:00', '2027-02-28 10:00', '2027-05-30 10:00', '2027-08-30 10:00', '2027-11-30 10:00'],
  ],
  [
    'every_3_months',
    '2026-10-05T10:00Z',
    { nth_day: 1 },
    ['2026-10-05 10:00', '2027-01-04 10:00', '2027-04-05 10:00', '2027-07-05 10:00'],
  ],
  [
    'every_4_months',
    '2026-10-31T10:00Z',
    {},
    ['2026-10-31 10:00', '2027-02-28 10:00', '2027-06-30 10:00', '2027-10-31 10:00', '2028-02-29 10:00'],
  ],
  [
    'every_6_months',
    '2026-08-31T10:00Z',
    {},
    ['2026-08-31 10:00', '2027-02-28 10:00', '2027-08-31 10:00', '2028-02-29 10:00'],
  ],
  [
    'yearly',
    '2028-02-29T06:00Z',
    {},
    ['2028-02-29 06:00', '2029-02-28 06:00', '2030-02-28 06:00', '2031-02-28 06:00', '2032-02-29 06:00'],
  ],
  ['yearly', '2026-12-25T06:00Z', {}, ['2026-12-25 06:00', '2027-12-25 06:00', '2028-12-25 06:00']],
]

describe('the worked examples', () => {
  for (const [interval, start, extra, expected] of EXAMPLES) {
    test(`${interval} from ${start} ${JSON.stringify(extra)}`, () => {
      const more = interval === 'once' ? expected.length + 1 : expected.length
      assert.deepEqual(sends(rule(interval, start, extra), more), expected)
    })
  }

  test('a daily schedule put at the minute of its send rolls to the next day', () => {
    const next = nextAfter(rule('daily', '2026-09-01T12:00Z'), new Date('2026-09-17T12:00:00Z'))
    assert.equal(next?.toISOString(), '2026-09-18T12:00:00.000Z')
  })

  test('after the 28th of February a schedule of the 31st goes back to the 31st', () => {
    const next = nextAfter(rule('monthly', '2027-01-31T09:00Z'), new Date('2027-02-28T09:00:00Z'))
    assert.equal(next?.toISOString(), '2027-03-31T09:00:00.000Z')
  })

  test('no occurrence is later than the years that answers can name', () => {
    const last = rule('daily', '9999-12-30T23:59:59.999Z')
    assert.deepEqual(sends(last, 5), ['9999-12-30 23:59', '9999-12-31 23:59'])
  })

  test('seconds and milliseconds of the start are kept', () => {
    const next = nextAfter(rule('monthly', '2027-01-31T09:00:07.089Z'), new Date('2027-02-01T00:00:00Z'))
    assert.equal(next?.toISOString(), '2027-02-28T09:00:07.089Z')
  })

  test('an occurrence exactly at the end is sent, one after it is not', () => {
    const ends = (end: string) => rule('daily', '2026-09-17T12:00Z', { end_date: new Date(end) })
    const after = new Date('2026-09-17T12:00:00Z')
    assert.ok(nextSend(ends('2026-09-18T12:00:00Z'), after))
    assert.equal(nextSend(ends('2026-09-18T11:59:59.999Z'), after), null)
  })
})

const EVERY_MONTHS: Record<string, number> = {
  monthly: 1,
  every_2_months: 2,
  every_3_months: 3,
  every_4_months: 4,
  every_6_months: 6,
  yearly: 12,
}

/** Does this day belong to the rule? Asked of every single day: slow, and plainly what the rule says. */
function matches(recurrence: Recurrence, day: Date): boolean {
  const { start_date: start, interval } = recurrence
  if (interval === 'once') return day.getTime() === start.getTime()
  if (interval === 'daily') return true
  if (interval === 'weekly') return (recurrence.days ?? [start.getUTCDay()]).includes(day.getUTCDay())
  const months =
    (day.getUTCFullYear() - start.getUTCFullYear()) * 12 + day.getUTCMonth() - start.getUTCMonth()
  if (months % (EVERY_MONTHS[interval] as number) !== 0) return false
  const length = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  const date = day.getUTCDate()
  if (recurrence.nth_day === null) return date === Math.min(start.getUTCDate(), length)
  if (day.getUTCDay() !== start.getUTCDay()) return false
  return recurrence.nth_day === 5 ? date + 7 > length : Math.ceil(date / 7) === recurrence.nth_day
}

const YEARS = 30
/** A year of days, six years of weeks, the whole thirty of months. */
const OCCURRENCES = 360

function model(recurrence: Recurrence): number[] {
  const list: number[] = []
  for (let day = 0; day <= YEARS * 366; day += 1) {
    const at = new Date(recurrence.start_date.getTime() + day * DAY_MS)
    if (matches(recurrence, at)) list.push(at.getTime())
  }
  return list
}

const recurrences = fc
  .record({
    interval: fc.constantFrom(...ScheduleInterval.enum),
    start_date: fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2040-12-31T23:59:59Z'),
      noInvalidDate: true,
    }),
    days: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 })),
    nth_day: fc.option(fc.integer({ min: 1, max: 5 })),
  })
  .map(
    ({ interval, start_date, days, nth_day }): Recurrence => ({
      interval,
      start_date,
      end_date: null,
      utc_offset: 0,
      time_zone: null,
      days: interval === 'weekly' ? days : null,
      nth_day: takesNthDay(interval) ? nth_day : null,
    }),
  )

describe('against a model that looks at every day of thirty years', () => {
  test('the occurrences are the same, one after the other', () => {
    fc.assert(
      fc.property(recurrences, (recurrence) => {
        const expected = model(recurrence).slice(0, OCCURRENCES)
        const found: number[] = []
        let at: Date | null = new Date(recurrence.start_date.getTime() - 1)
        while (found.length < expected.length) {
          at = nextAfter(recurrence, at)
          if (!at) break
          found.push(at.getTime())
        }
        assert.deepEqual(found, expected)
      }),
      { numRuns: 50 },
    )
  })

  test('the next one after any instant is the same', () => {
    const lateness = fc.integer({ min: -400 * DAY_MS, max: (YEARS - 2) * 365 * DAY_MS })
    fc.assert(
      fc.property(recurrences, fc.array(lateness, { minLength: 20 }), (recurrence, offsets) => {
        const expected = model(recurrence)
        for (const offset of [...offsets, 0, -1, 1]) {
          const after = recurrence.start_date.getTime() + offset
          const next = expected.find((at) => at > after) ?? null
          assert.equal(nextAfter(recurrence, new Date(after))?.getTime() ?? null, next)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('after any time of rest at most the newest occurrence is due, and never one a day late', () => {
    fc.assert(
      fc.property(
        recurrences,
        fc.integer({ min: 0, max: 3000 * DAY_MS }),
        fc.option(fc.integer({ min: 0, max: 3000 * DAY_MS })),
        (recurrence, rest, length) => {
          const now = recurrence.start_date.getTime() + rest
          const end = length === null ? null : recurrence.start_date.getTime() + length
          const missed = model(recurrence).filter((at) => at <= now && (end === null || at <= end))
          const newest = missed.at(-1)
          const due = newest !== undefined && now - newest < DAY_MS ? newest : null
          const end_date = end === null ? null : new Date(end)
          assert.equal(dueOccurrence({ ...recurrence, end_date }, new Date(now))?.getTime() ?? null, due)
        },
      ),
      { numRuns: 50 },
    )
  })
})
