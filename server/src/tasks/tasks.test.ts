import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createTask,
  deleteTask,
  deleteUser,
  getTask,
  listTasks,
  type Task,
  updateTask,
  updateUser,
  updateWorkspaceSettings,
} from '@parley/contract'
import { openPersonalChat } from '../chats/open-personal.js'
import { type Heard, listenLive, session } from '../live/testing-live.js'
import { now } from '../platform/clock.js'
import { transaction } from '../platform/db/transaction.js'
import { join } from '../testing/join.js'
import { type Person, type World, world } from '../testing/world.js'

const doing = (task: Record<string, unknown>) => ({ body: { task: { kind: 'call', ...task } } as never })

async function add(person: Person, task: Record<string, unknown> = {}): Promise<Task> {
  return (await person.call(createTask, doing(task))).data
}

function edit(person: Person, id: number, task: Record<string, unknown>) {
  return person.call(updateTask, { params: { id }, body: { task } as never })
}

async function openChat({ ctx, clock, alice }: World) {
  const at = now(clock)
  return ctx.db
    .insertInto('chats')
    .values({
      kind: 'conversation',
      name: 'open',
      public: true,
      owner_id: alice.id,
      meet_slug: 'open-0',
      created_at: at,
      last_message_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

test('a task without more is called after its kind and done by its author', async (t) => {
  const { alice, events } = await world(t)
  const task = await add(alice, { kind: 'meeting' })
  assert.deepEqual(
    { ...task, id: 0, created_at: '' },
    {
      id: 0,
      kind: 'meeting',
      content: 'Meeting',
      due_at: null,
      priority: 1,
      user_id: alice.id,
      chat_id: null,
      status: 'undone',
      created_at: '',
      performer_ids: [alice.id],
      all_day: false,
      done_at: null,
      custom_properties: [],
    },
  )
  assert.deepEqual((await alice.call(getTask, { params: { id: task.id } })).data, task)
  const [event] = await events()
  assert.equal(event?.type, 'task.created')
  assert.equal(event?.payload.task_id, task.id)
})

test('kind and priority are of their lists', async (t) => {
  const { alice } = await world(t)
  await assert.rejects(alice.call(createTask, { body: { task: {} } } as never), {
    status: 422,
    code: 'blank',
  })
  await assert.rejects(add(alice, { kind: 'party' }), { status: 400, code: 'inclusion' })
  for (const priority of [0, 4])
    await assert.rejects(add(alice, { priority }), { status: 400, code: 'inclusion' })
  assert.equal((await add(alice, { priority: 3 })).priority, 3)
  await assert.rejects(alice.call(createTask, { body: {} } as never), { status: 400, code: 'required' })
})

test('due times are whole minutes, offsets count, and the last second of a day means the day', async (t) => {
  const { alice } = await world(t)
  const due = async (due_at: string, all_day?: boolean) => {
    const task = await add(alice, { due_at, all_day })
    return [task.due_at, task.all_day]
  }
  assert.deepEqual(await due('2030-05-01T10:20:30.500Z'), ['2030-05-01T10:20:00.000Z', false])
  assert.deepEqual(await due('2030-05-01T10:20:30'), ['2030-05-01T10:20:00.000Z', false])
  assert.deepEqual(await due('2030-05-01T10:20:30+03:00'), ['2030-05-01T07:20:00.000Z', false])
  assert.deepEqual(await due('2030-05-01T23:59:59.000Z'), ['2030-05-01T23:59:59.000Z', true])
  assert.deepEqual(await due('2030-05-01T23:59:59+03:00'), ['2030-05-01T20:59:59.000Z', true])
  assert.deepEqual(await due('2030-05-01T23:59:58Z'), ['2030-05-01T23:59:00.000Z', false])
  assert.deepEqual(await due('2030-05-01T10:20:30Z', true), ['2030-05-01T23:59:59.000Z', true])
  assert.deepEqual(await due('2030-05-01', true), ['2030-05-01T23:59:59.000Z', true])
  assert.deepEqual(await due('1999-05-01T10:00:00Z'), ['1999-05-01T10:00:00.000Z', false])
  assert.deepEqual(await due('0001-01-01T00:00:00Z'), ['0001-01-01T00:00:00.000Z', false])
  for (const none of [
    'soon',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:30:00-01:00',
    '2030-05-01T10:00:00+24:00',
  ])
    await assert.rejects(due(none), { status: 422, code: 'invalid' }, none)
})

test('performers who cannot do it are left out, and where nobody is left the caller does it', async (t) => {
  const { alice, bob, mia, admin, person } = await world(t)
  const asleep = await person({ nickname: 'asleep', suspended: true })
  const { body, headers } = await alice.send(
    createTask,
    doing({ performer_ids: [bob.id, asleep.id, 999_999, bob.id] }),
  )
  assert.deepEqual(body.data.performer_ids, [bob.id])
  assert.equal(headers.get('parley-ignored'), 'performer_ids')
  assert.deepEqual((await add(alice, { performer_ids: [asleep.id] })).performer_ids, [alice.id])
  assert.deepEqual((await add(alice, { performer_ids: [] })).performer_ids, [alice.id])
  assert.deepEqual((await add(mia, { performer_ids: [admin.id, bob.id] })).performer_ids, [bob.id])
})

test('a task hangs in a live conversation of its author, or in a personal chat', async (t) => {
  const stage = await world(t)
  const { alice, admin, bob, bot, office, attic, news, ctx } = stage
  assert.equal((await add(alice, { chat_id: office.id })).chat_id, office.id)
  assert.equal((await add(bot, { chat_id: office.id })).user_id, bot.id)
  const personal = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  assert.equal((await add(bob, { chat_id: personal })).chat_id, personal)
  for (const chat of [attic, news])
    await assert.rejects(add(alice, { chat_id: chat.id }), { status: 422, code: 'not_applicable' })
  await assert.rejects(add(admin, { chat_id: office.id }), { status: 403, code: 'not_authorized' })
  const open = await openChat(stage)
  await assert.rejects(add(bob, { chat_id: open.id }), { status: 403, code: 'not_authorized' })
  await assert.rejects(add(alice, { chat_id: 999_999 }), { status: 404, code: 'not_found' })
})

test('author, performers and whoever the chat is open to read a task', async (t) => {
  const stage = await world(t)
  const { alice, bob, mia, admin, office } = stage
  const read = (person: Person, id: number) => person.call(getTask, { params: { id } })
  const closed = { status: 403, code: 'not_authorized' }

  const own = await add(alice, { performer_ids: [bob.id] })
  await read(bob, own.id)
  for (const person of [mia, admin]) await assert.rejects(read(person, own.id), closed)

  const inside = await add(alice, { chat_id: office.id })
  await read(mia, inside.id)
  await assert.rejects(read(admin, inside.id), closed)

  const open = await openChat(stage)
  await join(stage, open, alice)
  const shared = await add(alice, { chat_id: open.id })
  await read(admin, shared.id)
  await assert.rejects(read(mia, shared.id), closed)
  await assert.rejects(read(alice, 999_999), { status: 404, code: 'not_found' })
})

test('author and performers change and delete; who only sees it does not', async (t) => {
  const { alice, bob, mia, office, events } = await world(t)
  const task = await add(alice, { chat_id: office.id, performer_ids: [bob.id] })
  const closed = { status: 403, code: 'not_authorized' }
  await assert.rejects(edit(mia, task.id, { content: 'x' }), closed)
  await assert.rejects(mia.call(deleteTask, { params: { id: task.id } }), closed)
  assert.equal((await edit(bob, task.id, { content: 'Call Ann' })).data.content, 'Call Ann')
  assert.equal((await edit(alice, task.id, { chat_id: 999_999, priority: 2 })).data.chat_id, office.id)
  await bob.call(deleteTask, { params: { id: task.id } })
  await assert.rejects(bob.call(deleteTask, { params: { id: task.id } }), { status: 404, code: 'not_found' })
  await assert.rejects(edit(alice, task.id, {}), { status: 404, code: 'not_found' })
  const types = (await events()).map(({ type }) => type)
  assert.deepEqual(types, ['task.created', 'task.updated', 'task.updated', 'task.deleted'])
})

test('whom an edit takes from a task hears of it, and so does a performer outside its chat', async (t) => {
  const w = await world(t)
  const { alice, bob, admin, office } = w
  const own = await add(alice, { performer_ids: [bob.id] })
  const outside = await add(alice, { chat_id: office.id, performer_ids: [admin.id] })
  await w.drain()
  const listen = async (person: Person) => listenLive(t, w, await session(w, person))
  const [left, apart] = [await listen(bob), await listen(admin)]
  await edit(alice, own.id, { performer_ids: [alice.id] })
  await edit(alice, outside.id, { content: 'Call Ann' })
  await w.drain()
  const about = (id: number) => (heard: Heard) =>
    heard.data.type === 'task.updated' && heard.data.payload.task_id === id
  await left.until(about(own.id))
  await apart.until(about(outside.id))
})

test('an edit changes what was passed and nothing else', async (t) => {
  const { alice, bob } = await world(t)
  const task = await add(alice, { due_at: '2030-05-01T10:00:00Z', priority: 2, content: 'A' })
  const { data } = await edit(alice, task.id, { kind: 'email', performer_ids: [bob.id, alice.id] })
  assert.deepEqual(data, { ...task, kind: 'email', performer_ids: [alice.id, bob.id] })
  await assert.rejects(edit(alice, task.id, { performer_ids: [] }), ({ status, errors }) => {
    assert.deepEqual([status, errors[0].code, errors[0].key], [422, 'blank', 'performer_ids'])
    return true
  })
  await assert.rejects(edit(alice, task.id, { content: ' ' }), { status: 422, code: 'blank' })
  await assert.rejects(edit(alice, task.id, { status: 'half' }), { status: 400, code: 'inclusion' })
  const abroad = await edit(alice, task.id, { due_at: '2030-05-01T23:59:59-05:00' })
  const again = await edit(alice, task.id, { due_at: abroad.data.due_at ?? '', all_day: true })
  assert.deepEqual([again.data.due_at, again.data.all_day], ['2030-05-02T04:59:59.000Z', true])
  await edit(alice, task.id, { due_at: '2030-05-01T10:00:00Z', all_day: false })
  const whole = await edit(alice, task.id, { all_day: true })
  assert.deepEqual([whole.data.due_at, whole.data.all_day], ['2030-05-01T23:59:59.000Z', true])
})

test('a task is done now, at a given time, or not any more', async (t) => {
  const { alice, clock } = await world(t)
  clock.freeze(true)
  const { id } = await add(alice)
  const state = async (change: Record<string, unknown>) => {
    const { data } = await edit(alice, id, change)
    return [data.status, data.done_at]
  }
  assert.deepEqual(await state({ status: 'done' }), ['done', new Date(clock.now()).toISOString()])
  assert.deepEqual(await state({ status: 'undone' }), ['undone', null])
  assert.deepEqual(await state({ done_at: '2029-01-01T00:00:00Z' }), ['done', '2029-01-01T00:00:00.000Z'])
  assert.deepEqual(await state({ status: 'done' }), ['done', '2029-01-01T00:00:00.000Z'])
  for (const done_at of ['whenever', '', null, 7]) {
    await state({ status: 'done' })
    assert.deepEqual(await state({ done_at }), ['undone', null])
  }
})

test('the list has the tasks of own chats and chat-less ones made or performed, newest first', async (t) => {
  const stage = await world(t)
  const { alice, bob, admin, office } = stage
  const open = await openChat(stage)
  await join(stage, open, alice)
  const one = await add(alice, { chat_id: office.id })
  const two = await add(alice, { performer_ids: [bob.id] })
  const three = await add(bob)
  const four = await add(alice, { chat_id: open.id })
  const five = await add(bob, { performer_ids: [bob.id, alice.id] })
  const ids = async (person: Person, query: Record<string, unknown> = {}) =>
    (await person.call(listTasks, { query } as never)).data.map(({ id }) => id)

  assert.deepEqual(await ids(alice), [five.id, four.id, two.id, one.id])
  assert.deepEqual(await ids(bob), [five.id, three.id, two.id, one.id])
  assert.deepEqual(await ids(admin), [])
  assert.deepEqual(await ids(admin, { chat_ids: [office.id, open.id, 999_999] }), [four.id])
  assert.deepEqual(await ids(bob, { chat_ids: [open.id, office.id] }), [four.id, one.id])
  assert.deepEqual(await ids(stage.mia, { chat_ids: [open.id, office.id] }), [one.id])

  const page = await alice.call(listTasks, { query: { limit: 3 } })
  assert.equal(page.meta.paginate.has_next, true)
  assert.deepEqual(await ids(alice, { limit: 3, cursor: page.meta.paginate.next_page }), [one.id])
  assert.deepEqual(await ids(alice, { page: 2, per: 3 }), [one.id])
  assert.deepEqual(await ids(alice, { page: 99_999_999 }), [])
})

test('the list is narrowed by state, author and performers', async (t) => {
  const { alice, bob, office } = await world(t)
  const done = await add(alice, { chat_id: office.id })
  await edit(alice, done.id, { status: 'done' })
  const open = await add(bob, { chat_id: office.id, performer_ids: [alice.id] })
  const ids = async (query: Record<string, unknown>) =>
    (await alice.call(listTasks, { query } as never)).data.map(({ id }) => id)
  assert.deepEqual(await ids({ status: 'done' }), [done.id])
  assert.deepEqual(await ids({ status: 'undone' }), [open.id])
  assert.deepEqual(await ids({ author_id: bob.id }), [open.id])
  assert.deepEqual(await ids({ performer_ids: [alice.id, bob.id] }), [open.id, done.id])
  assert.deepEqual(await ids({ performer_ids: [bob.id] }), [])
  const many = Array.from({ length: 101 }, (_, index) => index + 1)
  await assert.rejects(ids({ chat_ids: many }), { status: 400, code: 'too_long' })
  await assert.rejects(ids({ performer_ids: many }), { status: 400, code: 'too_long' })
  await assert.rejects(ids({ status: 'half' }), { status: 400, code: 'in' })
})

async function reminded({ events }: World) {
  const notices = (await events()).filter(({ type }) => type === 'notice.created')
  return notices.map(({ payload }) => [payload.user_id, payload.task_id])
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

function frozenAt({ clock }: World, time: string) {
  clock.freeze(true)
  clock.advance(Date.parse(time) - clock.now())
}

test('performers are reminded once when a task is due', async (t) => {
  const stage = await world(t)
  const { alice, bob, drain, clock } = stage
  frozenAt(stage, '2040-03-01T12:00:00Z')
  const task = await add(alice, { due_at: '2040-03-01T13:00:00Z', performer_ids: [alice.id, bob.id] })
  clock.advance(HOUR_MS - 1)
  await drain()
  assert.deepEqual(await reminded(stage), [])
  clock.advance(1)
  await drain()
  clock.advance(HOUR_MS)
  await drain()
  assert.deepEqual(await reminded(stage), [
    [alice.id, task.id],
    [bob.id, task.id],
  ])
})

test('a task that was done, deleted, moved or is long past reminds nobody', async (t) => {
  const stage = await world(t)
  const { alice, drain, clock } = stage
  frozenAt(stage, '2040-03-01T12:00:00Z')
  const due_at = '2040-03-01T13:00:00Z'
  const [done, gone, moved] = [
    await add(alice, { due_at }),
    await add(alice, { due_at }),
    await add(alice, { due_at }),
  ]
  await add(alice, { due_at: '2040-03-01T11:00:00Z' })
  await edit(alice, done.id, { status: 'done' })
  await alice.call(deleteTask, { params: { id: gone.id } })
  await edit(alice, moved.id, { due_at: '2040-03-01T15:00:00Z' })
  clock.advance(2 * HOUR_MS)
  await drain()
  assert.deepEqual(await reminded(stage), [])
  clock.advance(HOUR_MS)
  await drain()
  assert.deepEqual(await reminded(stage), [[alice.id, moved.id]])
})

test('all-day tasks remind at nine in the zone of the workspace, also after it moved', async (t) => {
  const stage = await world(t)
  const { alice, owner, drain, as } = stage
  frozenAt(stage, '2040-03-01T12:00:00Z')
  const task = await add(alice, { due_at: '2040-03-02', all_day: true })
  const session = await as(owner.id, { session: true })
  await session.call(updateWorkspaceSettings, { body: { time_zone: 'Asia/Tokyo' } })
  await drain()
  frozenAt(stage, '2040-03-01T23:59:00Z')
  await drain()
  assert.deepEqual(await reminded(stage), [])
  frozenAt(stage, '2040-03-02T00:00:00Z')
  await drain()
  frozenAt(stage, '2040-03-02T09:00:00Z')
  await drain()
  assert.deepEqual(await reminded(stage), [[alice.id, task.id]])
})

test('with a deleted person go the tasks that were his alone, and he goes from the others', async (t) => {
  const { alice, bob, admin, events } = await world(t)
  const his = await add(alice, { performer_ids: [bob.id] })
  const both = await add(alice, { performer_ids: [alice.id, bob.id] })
  await admin.call(deleteUser, { params: { id: bob.id } })
  await assert.rejects(alice.call(getTask, { params: { id: his.id } }), { status: 404 })
  const { data } = await alice.call(getTask, { params: { id: both.id } })
  assert.deepEqual(data.performer_ids, [alice.id])
  const told = (await events()).filter(({ type }) => type.startsWith('task.')).slice(2)
  assert.deepEqual(
    told.map(({ type, payload }) => [type, payload.task_id]),
    [
      ['task.deleted', his.id],
      ['task.updated', both.id],
    ],
  )
})

test('suspension changes nothing about tasks', async (t) => {
  const { alice, bob, admin } = await world(t)
  const task = await add(alice, { performer_ids: [bob.id] })
  await admin.call(updateUser, { params: { id: bob.id }, body: { user: { suspended: true } } })
  assert.deepEqual((await alice.call(getTask, { params: { id: task.id } })).data, task)
})
