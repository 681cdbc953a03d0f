import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Task } from '@parley/contract'
import { dueDay, dueFrom, groupOf, groupTasks } from './state.js'

const task = (id: number, more: Partial<Task> = {}): Task => ({
  id,
  kind: 'reminder',
  content: `task ${id}`,
  due_at: null,
  priority: 1,
  user_id: 1,
  chat_id: null,
  status: 'undone',
  created_at: '2030-01-01T00:00:00.000Z',
  performer_ids: [1],
  all_day: false,
  done_at: null,
  custom_properties: [],
  ...more,
})
const local = (day: number, hour: number) => new Date(2030, 0, day, hour).toISOString()

const wholeDay = (day: number) => `2030-01-${day}T23:59:59.000Z`

test('tasks stand by when they are due, and one for the whole day is not late before its end', () => {
  const groups = groupTasks(
    [
      task(1, { due_at: local(31, 9) }),
      task(2, { due_at: wholeDay(31), all_day: true }),
      task(3, { due_at: wholeDay(30), all_day: true }),
      task(4),
      task(5, { due_at: local(31, 18) }),
      task(6, { due_at: local(31, 18), priority: 3 }),
      task(7, { due_at: new Date(2030, 2, 1).toISOString() }),
      task(8, { status: 'done', due_at: local(1, 1) }),
    ],
    new Date(2030, 0, 31, 12),
  )
  assert.deepEqual(
    [...groups].map(([name, tasks]) => [name, tasks.map(({ id }) => id)]),
    [
      ['overdue', [3, 1]],
      ['today', [6, 5, 2]],
      ['later', [7]],
      ['undated', [4]],
      ['done', [8]],
    ],
  )
})

test('a day without a time is the whole day, and the same one wherever it was written and is read', () => {
  assert.equal(dueFrom('', '10:00'), null)
  assert.equal(dueFrom('2030-01-31', '10:30'), new Date(2030, 0, 31, 10, 30).toISOString())
  assert.equal(dueFrom('2030-01-31', ''), '2030-01-31T23:59:59.000Z')
  const zone = process.env.TZ
  try {
    for (const reader of ['Pacific/Honolulu', 'UTC', 'Europe/Moscow', 'Pacific/Auckland'])
      for (const writer of ['-10:00', 'Z', '+03:00', '+13:00']) {
        process.env.TZ = reader
        const due_at = new Date(`2030-01-31T23:59:59.000${writer}`).toISOString()
        assert.equal(dueDay({ due_at, all_day: true }), '2030-01-31', `${writer} in ${reader}`)
        assert.equal(groupOf(task(1, { due_at, all_day: true }), new Date(2030, 0, 31, 12)), 'today')
      }
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})
