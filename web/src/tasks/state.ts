import type { Task } from '@parley/contract'
import { dayOf } from '../platform/format.js'
import type { Area } from '../platform/store.js'

/** Grows whenever a task that concerns the person changed; screens that show tasks read them again. */
export const taskRevision: Area<number> = {
  initial: 0,
  reduce: (state, change) =>
    change.type === 'live' && change.frame.type.startsWith('task.') ? state + 1 : state,
}

export type TaskGroup = 'overdue' | 'today' | 'later' | 'undated' | 'done'
export const TASK_GROUPS: readonly TaskGroup[] = ['overdue', 'today', 'later', 'undated', 'done']

export function groupOf({ status, due_at, all_day }: Task, now: Date): TaskGroup {
  if (status === 'done') return 'done'
  if (due_at === null) return 'undated'
  const [due, today] = [dayOf(due_at), dayOf(now)]
  if (due < today || (!all_day && Date.parse(due_at) < now.getTime())) return 'overdue'
  return due === today ? 'today' : 'later'
}

/** Tasks by when they are due, the first one first; those that matter more before others at the same time. */
export function groupTasks(tasks: readonly Task[], now: Date): Map<TaskGroup, Task[]> {
  const groups = new Map<TaskGroup, Task[]>(TASK_GROUPS.map((name) => [name, []]))
  const sorted = [...tasks].sort(
    (a, b) => (a.due_at ?? '').localeCompare(b.due_at ?? '') || b.priority - a.priority || b.id - a.id,
  )
  for (const task of sorted) groups.get(groupOf(task, now))?.push(task)
  return groups
}

/** The time of a field in the zone of the browser; all-day tasks are due at the end of their day. */
export function dueFrom(date: string, time: string): string | null {
  if (date === '') return null
  return new Date(`${date}T${time === '' ? '23:59:59.000' : time}`).toISOString()
}
