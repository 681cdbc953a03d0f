import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTask, getSession, listNotices, listUsers, readNotices } from '@parley/contract'
import { transaction } from '../platform/db/transaction.js'
import { notifyPerson } from '../platform/events/notice.js'
import { join } from '../testing/join.js'
import { type World, world } from '../testing/world.js'

const DAY_MS = 24 * 3_600_000

async function tell({ ctx, drain }: World, userId: number, texts: string[]) {
  for (const text of texts)
    await transaction(ctx, (tx) => notifyPerson(tx, ctx, userId, { kind: 'test.told', text }))
  await drain()
}

test('whoever was away finds what he was told, and nobody else does', async (t) => {
  const stage = await world(t)
  const { alice, bob, bot, as } = stage
  await tell(stage, alice.id, ['one', 'two', 'three'])
  const hers = await as(alice.id, { session: true })
  const { data, meta } = await hers.call(listNotices, { query: { limit: 2 } })
  assert.deepEqual(
    data.map(({ kind, payload, read_at }) => [kind, payload, read_at]),
    [
      ['test.told', { text: 'three' }, null],
      ['test.told', { text: 'two' }, null],
    ],
  )
  const older = await hers.call(listNotices, { query: { cursor: meta.paginate.next_page } })
  assert.equal(older.data.length, 1)
  const his = await as(bob.id, { session: true })
  assert.deepEqual((await his.call(listNotices)).data, [])
  await assert.rejects(bot.call(listNotices), { status: 403, code: 'not_authorized' })
})

test('notices are read up to one of them, by their own reader alone', async (t) => {
  const stage = await world(t)
  const { alice, bob, as } = stage
  await tell(stage, alice.id, ['one', 'two', 'three'])
  const hers = await as(alice.id, { session: true })
  const [, second] = (await hers.call(listNotices)).data
  const body = { notice_id: second?.id as number }
  await (await as(bob.id, { session: true })).call(readNotices, { body })
  const unread = async () => (await hers.call(listNotices, { query: { state: 'unread' } })).data.length
  assert.equal(await unread(), 3)
  await hers.call(readNotices, { body })
  assert.equal(await unread(), 1)
  await assert.rejects(hers.call(readNotices, { body: {} as never }), { status: 422, code: 'blank' })
})

test('a due task is among the notices of its performer', async (t) => {
  const { alice, as, clock, drain } = await world(t)
  const due_at = new Date(clock.now() + DAY_MS).toISOString()
  const { data: task } = await alice.call(createTask, { body: { task: { kind: 'call', due_at } } })
  clock.advance(DAY_MS)
  await drain()
  const { data } = await (await as(alice.id, { session: true })).call(listNotices)
  assert.deepEqual(
    data.map(({ kind, payload }) => [kind, payload]),
    [['task.due', { text: 'Call', task_id: task.id, chat_id: null }]],
  )
})

test('old notices and sessions that are over are swept away', async (t) => {
  const stage = await world(t)
  const { alice, ctx, clock, drain } = stage
  await tell(stage, alice.id, ['one'])
  const count = async () => (await ctx.db.selectFrom('notices').select('id').execute()).length
  assert.equal(await count(), 1)
  await ctx.db
    .insertInto('tokens')
    .values({
      user_id: alice.id,
      kind: 'session',
      hash: Buffer.from('over'),
      mask: 'x',
      scopes: [],
      created_at: new Date(clock.now()),
      expires_at: new Date(clock.now() + DAY_MS),
    })
    .execute()
  clock.advance(91 * DAY_MS)
  await drain()
  assert.equal(await count(), 0)
  const sessions = await ctx.db.selectFrom('tokens').select('id').where('kind', '=', 'session').execute()
  assert.deepEqual(sessions, [])
})

test('a guest is at home in the client with his one chat, and with no other token', async (t) => {
  const { ctx, as, person, office, alice, bob, mia, bot } = await world(t)
  const guest = await person({ role: 'guest', nickname: 'guest' })
  await join({ ctx }, office, guest)
  const session = await as(guest.id, { session: true })
  assert.equal((await session.call(getSession)).data.role, 'guest')
  const seen = (await session.call(listUsers)).data.map(({ id }) => id)
  assert.deepEqual(seen, [alice.id, bob.id, mia.id, bot.id, guest.id])
  await assert.rejects(guest.call(listUsers), { status: 403, code: 'access_denied' })
})
