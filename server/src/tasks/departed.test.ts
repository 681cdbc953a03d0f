import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTask, deleteBot, deleteUser, getTask, updateTask } from '@parley/contract'
import { beginBeside, untilBlocked } from '../testing/locks.js'
import { world } from '../testing/world.js'

const at = (id: number) => ({ params: { id } })

test('nobody is given a task while they are deleted', async (t) => {
  const w = await world(t)
  const { alice, bob, person } = w
  const task = { kind: 'call' as const, content: 'Call', performer_ids: [bob.id] }
  const { data: given } = await alice.call(createTask, { body: { task } })
  const asks = [
    (id: number) => alice.call(createTask, { body: { task: { ...task, performer_ids: [bob.id, id] } } }),
    (id: number) =>
      alice.call(updateTask, { ...at(given.id), body: { task: { performer_ids: [bob.id, id] } } }),
  ]
  for (const ask of asks) {
    const leaver = await person({})
    const deleting = await beginBeside(t, w)
    await deleting.query('update users set deleted_at = now() where id = $1', [leaver.id])
    const asked = ask(leaver.id)
    await untilBlocked(w)
    await deleting.query('commit')
    const { data } = await asked
    assert.deepEqual(data.performer_ids, [bob.id])
  }
})

test('a task goes with the last of two performers who are deleted at once', async (t) => {
  const w = await world(t)
  const { admin, alice, ctx, person } = w
  const [one, two] = [await person({}), await person({})]
  const task = { kind: 'call' as const, content: 'Call', performer_ids: [one.id, two.id] }
  const { data } = await alice.call(createTask, { body: { task } })
  const deleting = await beginBeside(t, w)
  await deleting.query('select from tasks where id = $1 for update', [data.id])
  await deleting.query('delete from task_performers where task_id = $1 and user_id = $2', [data.id, one.id])
  const second = admin.call(deleteUser, at(two.id))
  await untilBlocked(w)
  await deleting.query('commit')
  await second
  await assert.rejects(alice.call(getTask, at(data.id)), { status: 404 })
  const { rows } = await ctx.pool.query('select from tasks where id = $1', [data.id])
  assert.equal(rows.length, 0)
})

test('a bot that is deleted leaves its tasks', async (t) => {
  const { alice, bob, bot } = await world(t)
  const task = { kind: 'call' as const, content: 'Call', performer_ids: [bob.id, bot.id] }
  const { data } = await alice.call(createTask, { body: { task } })
  assert.deepEqual(data.performer_ids, [bob.id, bot.id])
  await alice.call(deleteBot, at(bot.id))
  assert.deepEqual((await alice.call(getTask, at(data.id))).data.performer_ids, [bob.id])
})
