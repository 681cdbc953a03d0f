import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { EmittedTask } from './emit.js'

/** Holds off the deletion of these people until the task has them; it locks them before their tasks, too. */
export async function holdPeople(tx: Tx, userIds: readonly number[]) {
  await sql`select from users where id = any(${userIds}::bigint[]) order by id for share`.execute(tx)
}

/** Of two who are deleted at once, the later one is the only performer left. */
export async function lockTasksOf(tx: Tx, userId: number) {
  await sql`
    select from tasks where id in (select task_id from task_performers where user_id = ${userId})
    order by id for update`.execute(tx)
}

/** Deletes the tasks that this person alone was to do. */
export async function deleteTasksOfOnly(tx: Tx, userId: number): Promise<EmittedTask[]> {
  const { rows } = await sql<EmittedTask>`
    delete from tasks t using task_performers p
    where p.task_id = t.id and p.user_id = ${userId}
      and not exists (select from task_performers o where o.task_id = t.id and o.user_id <> ${userId})
    returning t.id, t.chat_id, t.user_id, array[p.user_id] as performer_ids`.execute(tx)
  return rows
}

/** Takes a person off every task, and gives those tasks with the performers that are left. */
export async function deletePerformer(tx: Tx, userId: number): Promise<EmittedTask[]> {
  const { rows } = await sql<EmittedTask>`
    with gone as (delete from task_performers where user_id = ${userId} returning task_id)
    select t.id, t.chat_id, t.user_id,
      array(select p.user_id from task_performers p
        where p.task_id = t.id and p.user_id <> ${userId} order by p.user_id) as performer_ids
    from gone join tasks t on t.id = gone.task_id`.execute(tx)
  return rows
}
