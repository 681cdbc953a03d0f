import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

interface Reminded {
  chat_id: number | null
  content: string
  performer_ids: number[]
}

/** Takes the reminder of a task; undefined where it was done, moved or deleted meanwhile. */
export async function takeReminder(tx: Tx, taskId: number, remind_at: Date): Promise<Reminded | undefined> {
  const { rows } = await sql<Reminded>`
    update tasks t set remind_at = null
    where t.id = ${taskId} and t.remind_at = ${remind_at} and t.done_at is null
    returning t.chat_id, t.content,
      array(select p.user_id from task_performers p join users u on u.id = p.user_id
        where p.task_id = t.id and u.deleted_at is null order by p.user_id) as performer_ids`.execute(tx)
  return rows[0]
}

/** All-day tasks that will remind, in the order of their ids. */
export function lockAllDayTasks(tx: Tx, after: number, count: number) {
  return tx
    .selectFrom('tasks')
    .select(['id', 'due_at', 'all_day', 'remind_at'])
    .where('all_day', '=', true)
    .where('remind_at', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(count)
    .forUpdate()
    .execute()
}
