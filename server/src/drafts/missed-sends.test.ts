import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDraft, getDraft, updateDraft } from '@parley/contract'
import { join } from '../testing/join.js'
import type { World } from '../testing/world.js'
import {
  changing,
  DAY_MS,
  daily,
  HOUR_MS,
  in_ms,
  notices,
  once,
  pass,
  saying,
  september,
  texts,
} from './testing-schedules.js'

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
    ({ ctx, bob, office }) => join({ ctx }, office, bob),
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
