import type { Task } from '@parley/contract'
import { dayOf } from '../platform/format.js'
import { revisionOf } from '../platform/revision.js'

/** Tasks that concern the person. */
export const taskRevision = revisionOf('task')

/** Its author and its performers change a task; others who are in its chat see it. */
export const mayChange = ({ user_id, performer_ids }: Task, me: number | undefined) =>
  me !== undefined && (user_id === me || performer_ids.includes(me))

/** So long before its last second a day has its own date in UTC, from Hawaii (UTC-10) to New Zealand (UTC+13). */
const DAY_ENDS_MS = 10 * 3_600_000

/**
 * The day of a task, as `2030-01-31`. A whole day is due at its last second where it was written, and is the same day for
 * everybody: ten hours earlier it has its date in UTC, whatever zone that was in.
 */
export function dueDay({ due_at, all_day }: Pick<Task, 'due_at' | 'all_day'>): string | null {
  if (due_at === null) return null
  if (!all_day) return dayOf(due_at)
  return new Date(Date.parse(due_at) - DAY_ENDS_MS).toISOString().slice(0, 10)
}

export type TaskGroup = 'overdue' | 'today' | 'later' | 'undated' | 'done'
export const TASK_GROUPS: readonly TaskGroup[] = ['overdue', 'today', 'later', 'undated', 'done']

export function groupOf(task: Task, now: Date): TaskGroup {
  const { status, due_at, all_day } = task
  if (status === 'done') return 'done'
  const [due, today] = [dueDay(task), dayOf(now)]
  if (due_at === null || due === null) return 'undated'
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

/** The time of a field in the zone of the browser; without one, the whole day. */
export function dueFrom(date: string, time: string): string | null {
  if (date === '') return null
  return time === '' ? `${date}T23:59:59.000Z` : new Date(`${date}T${time}`).toISOString()
}
