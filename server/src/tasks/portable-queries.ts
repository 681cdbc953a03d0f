import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

export async function insertPortableTasks(
  tx: Tx,
  tasks: readonly JsonRow<'tasks'>[],
  performers: readonly JsonRow<'task_performers'>[],
) {
  if (tasks.length === 0) return
  await sql`
    insert into tasks (id, kind, content, due_at, all_day, priority, user_id, chat_id, done_at, remind_at, created_at)
    select id, kind, content, due_at, all_day, priority, user_id, chat_id, done_at, remind_at, created_at
    from jsonb_populate_recordset(null::tasks, ${JSON.stringify(tasks)}::jsonb)`.execute(tx)
  await sql`
    insert into task_performers (task_id, user_id)
    select task_id, user_id from jsonb_populate_recordset(null::task_performers, ${JSON.stringify(performers)}::jsonb)
    on conflict do nothing`.execute(tx)
}

/** The performers and values go with the tasks. */
export async function deletePortableTasks(tx: Tx, ids: readonly number[]) {
  await sql`delete from tasks where id = any(${ids})`.execute(tx)
}
