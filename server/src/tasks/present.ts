import type { CustomPropertyDefinition, Task } from '@parley/contract'
import { presentProperties } from '../custom-properties/present.js'
import { listDefinitions } from '../custom-properties/queries.js'
import type { Db } from '../platform/db/index.js'
import { listTaskRows, type TaskRow } from './queries.js'

export function presentTask(row: TaskRow, definitions: readonly CustomPropertyDefinition[]): Task {
  return {
    id: row.id,
    kind: row.kind as Task['kind'],
    content: row.content,
    due_at: row.due_at?.toISOString() ?? null,
    priority: row.priority,
    user_id: row.user_id,
    chat_id: row.chat_id,
    status: row.done_at ? 'done' : 'undone',
    created_at: row.created_at.toISOString(),
    performer_ids: row.performer_ids,
    all_day: row.all_day,
    done_at: row.done_at?.toISOString() ?? null,
    custom_properties: presentProperties(definitions, row.properties),
  }
}

/** These tasks in the order asked for. */
export async function loadTasks(db: Db, ids: readonly number[]): Promise<Task[]> {
  if (ids.length === 0) return []
  const rows = new Map((await listTaskRows(db, ids)).map((row) => [row.id, row]))
  const definitions = await listDefinitions(db, 'Task')
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [presentTask(row, definitions)] : []
  })
}
