import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

type NewTask = Partial<api.BodyOf<typeof api.createTask>['task']>

async function newTask(lab: Lab, more: NewTask = {}) {
  const { data } = await lab.owner.call(api.createTask, {
    body: { task: { kind: 'reminder', content: lab.name('task'), ...more } },
  })
  lab.after(() => lab.owner.send(api.deleteTask, { params: { id: data.id } }))
  return data
}

export const taskLaws = laws('Tasks', [
  {
    id: 'TASK-001',
    rule: 'A task without performers is of its author, undone and of usual priority, and is read as it was answered.',
    operations: [api.createTask, api.getTask],
    async run(lab) {
      const task = await newTask(lab)
      const { user_id, performer_ids, status, priority } = task
      assert.deepEqual(
        { user_id, performer_ids, status, priority },
        {
          user_id: lab.owner.id,
          performer_ids: [lab.owner.id],
          status: 'undone',
          priority: 1,
        },
      )
      const { data } = await lab.owner.call(api.getTask, { params: { id: task.id } })
      assert.deepEqual(data, task)
    },
  },
  {
    id: 'TASK-002',
    rule: 'Only the fields that are sent change; done and undone are switched.',
    operations: [api.updateTask],
    async run(lab) {
      const { id, content } = await newTask(lab)
      const set = async (status: 'done' | 'undone') =>
        (await lab.owner.call(api.updateTask, { params: { id }, body: { task: { status } } })).data
      const done = await set('done')
      assert.deepEqual([done.status, done.content], ['done', content])
      assert.equal((await set('undone')).status, 'undone')
    },
  },
  {
    id: 'TASK-003',
    rule: 'Unknown kinds and priorities are refused with 400 inclusion, which names the field; without a kind it is 422 blank.',
    operations: [api.createTask],
    async run(lab) {
      const task = (more: object) => ({ body: { task: { kind: 'call', ...more } } })
      await lab.owner.refused(api.createTask, task({ kind: 'nap' }), {
        status: 400,
        code: 'inclusion',
        key: 'kind',
      })
      const priority = { status: 400, code: 'inclusion', key: 'priority' }
      await lab.owner.refused(api.createTask, task({ priority: 9 }), priority)
      await lab.owner.refused(
        api.createTask,
        { body: { task: {} } },
        { status: 422, code: 'blank', key: 'kind' },
      )
    },
  },
  {
    id: 'TASK-004',
    rule: 'A deleted task is gone.',
    operations: [api.deleteTask, api.getTask],
    async run(lab) {
      const { id } = await newTask(lab)
      await lab.owner.call(api.deleteTask, { params: { id } })
      await lab.owner.refused(api.getTask, { params: { id } }, { status: 404 })
      await lab.owner.refused(api.deleteTask, { params: { id } }, { status: 404 })
    },
  },
  {
    id: 'TASK-005',
    rule: 'Members of the chat see its tasks; author and performers alone change them.',
    operations: [api.getTask, api.updateTask, api.deleteTask],
    async run(lab) {
      const { id } = await newTask(lab, { chat_id: (await lab.room()).id })
      const helper = await lab.helper()
      await helper.call(api.getTask, { params: { id } })
      await helper.refused(
        api.updateTask,
        { params: { id }, body: { task: { status: 'done' } } },
        { status: 403 },
      )
      await helper.refused(api.deleteTask, { params: { id } }, { status: 403 })
    },
  },
  {
    id: 'TASK-006',
    rule: 'Tasks of a chat are listed newest first, by pages, and by status.',
    operations: [api.listTasks],
    async run(lab) {
      const chat = await lab.newChat()
      const made: number[] = []
      for (let count = 0; count < 4; count += 1) made.unshift((await newTask(lab, { chat_id: chat.id })).id)
      await walkPages(lab.owner, { operation: api.listTasks, query: { chat_ids: [chat.id] }, expected: made })
      const id = made[0] as number
      await lab.owner.call(api.updateTask, { params: { id }, body: { task: { status: 'done' } } })
      const { data } = await lab.owner.call(api.listTasks, { query: { chat_ids: [chat.id], status: 'done' } })
      assert.deepEqual(
        data.map((task) => task.id),
        [id],
      )
    },
  },
  {
    id: 'TASK-007',
    rule: 'A time with an offset is answered in UTC, cut to the minute.',
    operations: [api.createTask],
    async run(lab) {
      const { due_at } = await newTask(lab, { due_at: '2031-05-04T12:30:45+03:00' })
      assert.equal(due_at, '2031-05-04T09:30:00.000Z')
    },
  },
])
