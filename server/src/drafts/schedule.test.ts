import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDraft, getDraft, updateDraft } from '@parley/contract'
import { changing, daily, HOUR_MS, in_ms, once, saying, september } from './testing-schedules.js'

const OFFICE_REFUSALS: [string, unknown, string, string][] = [
  [
    'a time that is past',
    { start_date: '2030-09-17T11:59:59Z', repetition: { interval: 'once' } },
    'next_send_at_invalid',
    'schedule.start_date',
  ],
  [
    'this very moment',
    { start_date: '2030-09-17T15:00:00+03:00', repetition: { interval: 'once' } },
    'next_send_at_invalid',
    'schedule.start_date',
  ],
  [
    'an end before the next send',
    { start_date: '2030-09-01T12:00Z', end_date: '2030-09-18T11:59Z', repetition: { interval: 'daily' } },
    'schedule_end_date_invalid',
    'schedule.end_date',
  ],
  [
    'an end before the start',
    { start_date: '2030-10-01T12:00Z', end_date: '2030-09-30', repetition: { interval: 'once' } },
    'schedule_end_date_invalid',
    'schedule.end_date',
  ],
  [
    'an unknown interval',
    { start_date: '2031-01-01', repetition: { interval: 'hourly' } },
    'schedule_invalid',
    'schedule.repetition.interval',
  ],
  [
    'an interval of another type',
    { start_date: '2031-01-01', repetition: { interval: 7 } },
    'schedule_invalid',
    'schedule.repetition.interval',
  ],
  ['no interval', { start_date: '2031-01-01', repetition: {} }, 'blank', 'schedule.repetition.interval'],
  ['no repetition', { start_date: '2031-01-01' }, 'blank', 'schedule.repetition'],
  [
    'a repetition that is a list',
    { start_date: '2031-01-01', repetition: [] },
    'schedule_invalid',
    'schedule.repetition',
  ],
  ['no start', { repetition: { interval: 'daily' } }, 'blank', 'schedule.start_date'],
  [
    'a day that does not exist',
    { start_date: '2031-02-30', repetition: { interval: 'daily' } },
    'schedule_invalid',
    'schedule.start_date',
  ],
  [
    'a zone that is none',
    { start_date: '2031-01-01', time_zone: 'Europe/Nowhere', repetition: { interval: 'daily' } },
    'schedule_invalid',
    'schedule.time_zone',
  ],
  [
    'an offset that is none',
    { start_date: '2031-01-01', utc_offset: '3h', repetition: { interval: 'daily' } },
    'schedule_invalid',
    'schedule.utc_offset',
  ],
  [
    'an end that is no time',
    { start_date: '2031-01-01', end_date: 'soon', repetition: { interval: 'daily' } },
    'schedule_invalid',
    'schedule.end_date',
  ],
  [
    'an eighth weekday',
    { start_date: '2031-01-01', repetition: { interval: 'weekly', days: [7] } },
    'schedule_invalid',
    'schedule.repetition.days',
  ],
  [
    'no weekday at all',
    { start_date: '2031-01-01', repetition: { interval: 'weekly', days: [] } },
    'schedule_invalid',
    'schedule.repetition.days',
  ],
  [
    'eight weekdays',
    { start_date: '2031-01-01', repetition: { interval: 'weekly', days: [0, 1, 2, 3, 4, 5, 6, 0] } },
    'schedule_invalid',
    'schedule.repetition.days',
  ],
  [
    'a sixth Monday',
    { start_date: '2031-01-01', repetition: { interval: 'monthly', nth_day: 6 } },
    'schedule_invalid',
    'schedule.repetition.nth_day',
  ],
  [
    'half a Monday',
    { start_date: '2031-01-01', repetition: { interval: 'every_3_months', nth_day: 1.5 } },
    'schedule_invalid',
    'schedule.repetition.nth_day',
  ],
  ['a word', 'tomorrow', 'schedule_invalid', 'schedule'],
]

test('schedules that cannot stand are refused, each with its code and field', async (t) => {
  const { alice, office } = await september(t)
  for (const [name, schedule, code, key] of OFFICE_REFUSALS) {
    await assert.rejects(
      alice.call(createDraft, saying(office.id, schedule)),
      (error: { status: number; errors: { code: string; key: string }[] }) => {
        const [first] = error.errors
        assert.deepEqual([error.status, first?.code, first?.key], [422, code, key], name)
        return true
      },
    )
  }
})

test('a schedule keeps the offset of its start, and read and put back it is the same', async (t) => {
  const stage = await september(t)
  const { alice, office } = stage
  // A Monday in Moscow, still Sunday in Greenwich.
  const given = { start_date: '2030-09-23T01:00:00+03:00', repetition: { interval: 'weekly' } }
  const { data: draft } = await alice.call(createDraft, saying(office.id, given))
  assert.deepEqual(draft.schedule, {
    start_date: '2030-09-22T22:00:00.000Z',
    end_date: null,
    utc_offset: '+03:00',
    time_zone: null,
    repetition: { interval: 'weekly', days: [1] },
  })
  assert.equal(draft.next_send_at, '2030-09-22T22:00:00.000Z')
  const { data: same } = await alice.call(updateDraft, changing(draft, { schedule: draft.schedule }))
  assert.deepEqual([same.schedule, same.next_send_at], [draft.schedule, draft.next_send_at])
  const far = { start_date: '2030-09-23T01:00:00+20:00', repetition: { interval: 'daily' } }
  const { data: moved } = await alice.call(updateDraft, changing(draft, { schedule: far }))
  const { data: put } = await alice.call(updateDraft, changing(draft, { schedule: moved.schedule }))
  assert.deepEqual([put.schedule?.utc_offset, put.schedule], ['+20:00', moved.schedule])
})

test('a schedule with a time zone keeps its time of day over daylight saving', async (t) => {
  const stage = await september(t)
  const { alice, office, clock, drain } = stage
  const start_date = '2030-10-26T09:00:00+02:00'
  const schedule = { start_date, time_zone: 'Europe/Oslo', repetition: { interval: 'daily' } }
  const { data: draft } = await alice.call(createDraft, saying(office.id, schedule))
  assert.equal(draft.schedule?.time_zone, 'Europe/Oslo')
  clock.advance(Date.parse(start_date) - clock.now())
  await drain()
  const { data: after } = await alice.call(getDraft, { params: { id: draft.id } })
  assert.equal(after.next_send_at, '2030-10-27T08:00:00.000Z')
  const { data: same } = await alice.call(updateDraft, changing(after, { schedule: after.schedule }))
  assert.deepEqual([same.schedule, same.next_send_at], [after.schedule, after.next_send_at])
})

test('what does not belong to the interval is ignored and not kept', async (t) => {
  const { alice, office } = await september(t)
  const made = async (schedule: object) => (await alice.call(createDraft, saying(office.id, schedule))).data
  const weekly = await made({
    start_date: '2030-09-17T15:00+03:00',
    repetition: { interval: 'weekly', days: [5, 1, 5, 3], nth_day: 9 },
  })
  assert.deepEqual(weekly.schedule, {
    start_date: '2030-09-17T12:00:00.000Z',
    end_date: null,
    utc_offset: '+03:00',
    time_zone: null,
    repetition: { interval: 'weekly', days: [1, 3, 5] },
  })
  assert.equal(weekly.next_send_at, '2030-09-18T12:00:00.000Z')
  const monthly = await made({ start_date: '2031-01-31', repetition: { interval: 'monthly', days: [9] } })
  assert.deepEqual(monthly.schedule?.repetition, { interval: 'monthly', nth_day: null })
  const yearly = await made({ start_date: '2031-01-31', repetition: { interval: 'yearly', nth_day: 2 } })
  assert.deepEqual(yearly.schedule?.repetition, { interval: 'yearly' })
  const usual = await made({ start_date: '2030-09-17T13:00Z', repetition: { interval: 'weekly' } })
  assert.deepEqual(usual.schedule?.repetition.days, [2])
})

test('the fifty-first scheduled message of a chat is refused, also when a draft becomes one', async (t) => {
  const stage = await september(t)
  const { alice, bob, office, news, ctx } = stage
  const now = new Date()
  const row = {
    user_id: alice.id,
    chat_id: office.id,
    content: 'x',
    interval: 'once',
    start_date: new Date('2031-01-01'),
    next_send_at: new Date('2031-01-01'),
    created_at: now,
    updated_at: now,
  }
  await ctx.db
    .insertInto('drafts')
    .values(Array.from({ length: 49 }, () => row))
    .execute()
  const [first, second] = await Promise.allSettled([
    alice.call(createDraft, saying(office.id, once(stage, HOUR_MS))),
    alice.call(createDraft, saying(office.id, once(stage, HOUR_MS))),
  ])
  assert.deepEqual([first?.status, second?.status].sort(), ['fulfilled', 'rejected'])
  const refusal = { status: 422, code: 'scheduled_messages_limit' }
  const { data } = await alice.call(createDraft, {
    body: { draft: { entity_type: 'discussion', entity_id: office.id, content: 'plain' } },
  })
  await assert.rejects(alice.call(updateDraft, changing(data, { schedule: once(stage, HOUR_MS) })), refusal)
  await assert.rejects(alice.call(createDraft, saying(office.id, once(stage, -1))), {
    code: 'next_send_at_invalid',
  })
  await alice.call(createDraft, saying(news.id, once(stage, HOUR_MS)))
  await bob.call(createDraft, saying(office.id, once(stage, HOUR_MS)))
})

test('a draft becomes a scheduled message and never goes back; its place is free again', async (t) => {
  const stage = await september(t)
  const { alice, office } = stage
  const plain = {
    body: { draft: { entity_type: 'discussion' as const, entity_id: office.id, content: 'p' } },
  }
  const { data } = await alice.call(createDraft, plain)
  const { data: scheduled } = await alice.call(
    updateDraft,
    changing(data, { schedule: daily(stage, HOUR_MS) }),
  )
  assert.equal(scheduled.next_send_at, in_ms(stage, HOUR_MS))
  await alice.call(createDraft, plain)
  await assert.rejects(alice.call(updateDraft, changing(data, { schedule: null })), {
    status: 422,
    code: 'draft_type_change_forbidden',
  })
  const { data: edited } = await alice.call(updateDraft, changing(data, { content: 'q' }))
  assert.equal(edited.next_send_at, scheduled.next_send_at)
})
