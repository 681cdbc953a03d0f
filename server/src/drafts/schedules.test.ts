import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  createDraft,
  type Draft,
  deleteDraft,
  getDraft,
  getMessage,
  listMessages,
  updateDraft,
} from '@parley/contract'
import { type Person, type World, world } from '../testing/world.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const saying = (entity_id: number, schedule: unknown, content = 'later') => ({
  body: {
    draft: { entity_type: 'discussion' as const, entity_id, content, schedule: schedule as never },
  },
})
const changing = (draft: Draft, change: object) => ({ params: { id: draft.id }, body: { draft: change } })

/** A world at noon of a Tuesday, the 17th of September 2030. */
async function september(t: Parameters<typeof world>[0]) {
  const stage = await world(t)
  stage.clock.freeze(true)
  stage.clock.advance(Date.parse('2030-09-17T12:00:00.000Z') - stage.clock.now())
  return stage
}

const in_ms = ({ clock }: World, ms: number) => new Date(clock.now() + ms).toISOString()
const once = (stage: World, ms: number) => ({
  start_date: in_ms(stage, ms),
  repetition: { interval: 'once' },
})
const daily = (stage: World, ms: number, more: object = {}) => ({
  start_date: in_ms(stage, ms),
  repetition: { interval: 'daily' },
  ...more,
})

async function texts(person: Person, chat_id: number) {
  const { data } = await person.call(listMessages, { query: { chat_id } })
  return data.map(({ content }) => content).reverse()
}

async function pass(stage: World, ms: number) {
  stage.clock.advance(ms)
  await stage.drain()
}

async function notices({ events }: World) {
  const all = await events()
  return all.filter(({ type }) => type === 'notice.created').map(({ payload }) => payload)
}

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

test('a single message is sent at its time, as its author, and is gone from the drafts', async (t) => {
  const stage = await september(t)
  const { alice, bob, bot, office, listen } = stage
  const hook = await listen(bot, ['message_new'])
  const { data } = await alice.call(createDraft, saying(office.id, once(stage, HOUR_MS), 'good morning'))
  await pass(stage, HOUR_MS - 1)
  assert.deepEqual(await texts(bob, office.id), [])
  await pass(stage, 1)
  assert.deepEqual(await texts(bob, office.id), ['good morning'])
  await pass(stage, DAY_MS)
  assert.deepEqual(await texts(bob, office.id), ['good morning'])
  await assert.rejects(alice.call(getDraft, { params: { id: data.id } }), { status: 404 })
  const { data: sent } = await bob.call(listMessages, { query: { chat_id: office.id } })
  assert.equal(sent[0]?.user_id, alice.id)
  assert.equal(hook.received.length, 1)
})

test('a repeating message goes on until its end, and its draft with it', async (t) => {
  const stage = await september(t)
  const { alice, bob, office } = stage
  const end_date = in_ms(stage, HOUR_MS + 2 * DAY_MS)
  const { data } = await alice.call(createDraft, saying(office.id, daily(stage, HOUR_MS, { end_date })))
  await pass(stage, HOUR_MS)
  const { data: after } = await alice.call(getDraft, { params: { id: data.id } })
  assert.equal(after.next_send_at, in_ms(stage, DAY_MS))
  assert.equal(after.updated_at, data.updated_at)
  await pass(stage, DAY_MS)
  assert.equal((await texts(bob, office.id)).length, 2)
  await pass(stage, DAY_MS)
  assert.equal((await texts(bob, office.id)).length, 3)
  await assert.rejects(alice.call(getDraft, { params: { id: data.id } }), { status: 404 })
  await pass(stage, 3 * DAY_MS)
  assert.equal((await texts(bob, office.id)).length, 3)
})

test('deleting a scheduled message cancels it', async (t) => {
  const stage = await september(t)
  const { alice, bob, office } = stage
  const { data } = await alice.call(createDraft, saying(office.id, daily(stage, HOUR_MS)))
  await alice.call(deleteDraft, { params: { id: data.id } })
  await pass(stage, 2 * DAY_MS)
  assert.deepEqual(await texts(bob, office.id), [])
})

test('after a rest the newest occurrence is sent if it is less than a day late, and never a burst', async (t) => {
  const stage = await september(t)
  const { alice, bob, office, news } = stage
  await alice.call(createDraft, saying(office.id, daily(stage, HOUR_MS), 'every day'))
  const { data: late } = await alice.call(createDraft, saying(office.id, once(stage, HOUR_MS), 'too late'))
  const friday = { start_date: in_ms(stage, HOUR_MS), repetition: { interval: 'weekly' } }
  const { data: week } = await alice.call(createDraft, saying(news.id, friday, 'every week'))
  await pass(stage, 5 * DAY_MS)
  assert.deepEqual(await texts(bob, office.id), ['every day'])
  assert.deepEqual(await texts(alice, news.id), [])
  const { data: kept } = await alice.call(getDraft, { params: { id: late.id } })
  assert.equal(kept.next_send_at, late.next_send_at)
  const { data: moved } = await alice.call(getDraft, { params: { id: week.id } })
  assert.equal(moved.next_send_at, in_ms(stage, 2 * DAY_MS + HOUR_MS))
  assert.deepEqual(
    (await notices(stage)).map(({ user_id, draft_id, reason }) => [user_id, draft_id, reason]),
    [
      [alice.id, late.id, 'too_late'],
      [alice.id, week.id, 'too_late'],
    ],
  )
  await pass(stage, 0)
  assert.equal((await notices(stage)).length, 2)
})

const CANNOT: [string, (stage: World) => Promise<unknown>, (stage: World) => Promise<unknown>][] = [
  [
    'the chat is archived',
    ({ ctx, office }) =>
      ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute(),
    ({ ctx, office }) =>
      ctx.db.updateTable('chats').set({ archived_at: null }).where('id', '=', office.id).execute(),
  ],
  [
    'the author is suspended',
    ({ ctx, bob }) => ctx.db.updateTable('users').set({ suspended: true }).where('id', '=', bob.id).execute(),
    ({ ctx, bob }) =>
      ctx.db.updateTable('users').set({ suspended: false }).where('id', '=', bob.id).execute(),
  ],
  [
    'the author has left the chat',
    ({ ctx, bob }) => ctx.db.deleteFrom('chat_members').where('user_id', '=', bob.id).execute(),
    ({ ctx, bob, office }) =>
      ctx.db
        .insertInto('chat_members')
        .values({ chat_id: office.id, user_id: bob.id, role: 'member', joined_at: new Date() })
        .execute(),
  ],
  [
    'the workspace is suspended',
    ({ ctx }) => ctx.db.updateTable('workspace').set({ suspended: true }).execute(),
    ({ ctx }) => ctx.db.updateTable('workspace').set({ suspended: false }).execute(),
  ],
]

for (const [name, close, open] of CANNOT) {
  test(`while ${name} a repeating message is skipped and a single one is kept`, async (t) => {
    const stage = await september(t)
    const { bob, office } = stage
    const { data: single } = await bob.call(createDraft, saying(office.id, once(stage, HOUR_MS), 'single'))
    const { data: daily_ } = await bob.call(createDraft, saying(office.id, daily(stage, HOUR_MS), 'daily'))
    await close(stage)
    await pass(stage, HOUR_MS)
    assert.equal((await notices(stage)).length, 2)
    await open(stage)
    await pass(stage, HOUR_MS)
    assert.deepEqual(await texts(bob, office.id), [])
    const { data: kept } = await bob.call(getDraft, { params: { id: single.id } })
    assert.equal(kept.next_send_at, single.next_send_at)
    assert.equal(
      (await bob.call(getDraft, { params: { id: daily_.id } })).data.next_send_at,
      in_ms(stage, DAY_MS - HOUR_MS),
    )
    await pass(stage, DAY_MS)
    assert.deepEqual(await texts(bob, office.id), ['daily'])
    await bob.call(updateDraft, changing(single, { schedule: once(stage, HOUR_MS) }))
    await pass(stage, HOUR_MS)
    assert.deepEqual(await texts(bob, office.id), ['daily', 'single'])
  })
}

test('the drafts of a deleted author go', async (t) => {
  const stage = await september(t)
  const { bob, office, ctx } = stage
  await bob.call(createDraft, saying(office.id, daily(stage, HOUR_MS)))
  await ctx.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', bob.id).execute()
  await pass(stage, HOUR_MS)
  assert.deepEqual(await ctx.db.selectFrom('drafts').selectAll().execute(), [])
  assert.deepEqual(await notices(stage), [])
})

test('a reply to what was deleted is sent as no reply, and a lost file is left out', async (t) => {
  const stage = await september(t)
  const { alice, bob, office, ctx } = stage
  const { data: parent } = await alice.call(createDraft, saying(office.id, once(stage, 1000), 'parent'))
  assert.ok(parent)
  await pass(stage, 1000)
  const [message] = (await bob.call(listMessages, { query: { chat_id: office.id } })).data
  const key = (name: string) => `attaches/files/${bob.id}/${randomUUID()}/${name}`
  const [kept, lost] = [key('kept.txt'), key('lost.txt')]
  for (const each of [kept, lost]) await ctx.storage.write(each, Buffer.from('x'))
  const files = [
    { key: kept, name: 'kept.txt' },
    { key: lost, name: 'lost.txt' },
  ]
  const draft = {
    entity_type: 'discussion' as const,
    entity_id: office.id,
    parent_message_id: message?.id ?? 0,
  }
  const schedule = once(stage, HOUR_MS) as never
  await bob.call(createDraft, { body: { draft: { ...draft, content: 'reply', files, schedule } } })
  const only = { ...draft, content: '', files: files.slice(1), schedule }
  const { data: empty } = await bob.call(createDraft, { body: { draft: only } })
  await ctx.storage.remove(lost)
  await ctx.db
    .updateTable('messages')
    .set({ deleted_at: new Date() })
    .where('id', '=', message?.id ?? 0)
    .execute()
  await pass(stage, HOUR_MS)
  const [sent, ...others] = (await alice.call(listMessages, { query: { chat_id: office.id } })).data
  assert.deepEqual(
    [sent?.content, sent?.parent_message_id, sent?.files.map(({ name }) => name)],
    ['reply', null, ['kept.txt']],
  )
  assert.deepEqual(others, [])
  assert.deepEqual(
    (await notices(stage)).map(({ draft_id, reason }) => [draft_id, reason]),
    [[empty.id, 'blank']],
  )
  await stage.drain()
  assert.ok(await ctx.storage.stat(kept))
  assert.equal((await alice.call(getMessage, { params: { id: sent?.id ?? 0 } })).data.files.length, 1)
})

test('a failure of our own is tried again after 10, 60 and 300 seconds, then counts as skipped', async (t) => {
  const stage = await september(t)
  const { alice, bob, office, ctx } = stage
  await ctx.pool.query(`create function fail_messages() returns trigger language plpgsql as
    $$ begin raise exception 'out of order'; end $$`)
  await ctx.pool.query(
    'create trigger out_of_order before insert on messages for each row execute function fail_messages()',
  )
  const { data: single } = await alice.call(createDraft, saying(office.id, once(stage, 1000), 'single'))
  await alice.call(createDraft, saying(office.id, daily(stage, 1000), 'daily'))
  const tried = async () =>
    (await ctx.db.selectFrom('drafts').select(['failures', 'due_at']).orderBy('id').execute()).map(
      ({ failures, due_at }) => [failures, due_at && due_at.getTime() - stage.clock.now()],
    )
  await pass(stage, 1000)
  assert.deepEqual(await tried(), [
    [1, 10_000],
    [1, 10_000],
  ])
  await pass(stage, 10_000)
  assert.deepEqual((await tried())[0], [2, 60_000])
  await pass(stage, 60_000)
  assert.deepEqual((await tried())[0], [3, 300_000])
  assert.deepEqual(await notices(stage), [])
  await pass(stage, 300_000)
  assert.deepEqual((await tried())[0], [0, null])
  assert.equal((await notices(stage)).length, 2)
  await ctx.pool.query('drop trigger out_of_order on messages')
  await pass(stage, DAY_MS)
  assert.deepEqual(await texts(bob, office.id), ['daily'])
  assert.ok(await alice.call(getDraft, { params: { id: single.id } }))
})

test('one failure that passes is made good ten seconds later', async (t) => {
  const stage = await september(t)
  const { alice, bob, office, ctx } = stage
  await ctx.pool.query(`create function fail_messages() returns trigger language plpgsql as
    $$ begin raise exception 'out of order'; end $$`)
  await ctx.pool.query(
    'create trigger out_of_order before insert on messages for each row execute function fail_messages()',
  )
  const { data } = await alice.call(createDraft, saying(office.id, daily(stage, 1000), 'daily'))
  await pass(stage, 1000)
  await ctx.pool.query('drop trigger out_of_order on messages')
  await pass(stage, 10_000)
  assert.deepEqual(await texts(bob, office.id), ['daily'])
  const { data: after } = await alice.call(getDraft, { params: { id: data.id } })
  assert.equal(after.next_send_at, in_ms(stage, DAY_MS - 10_000))
})
