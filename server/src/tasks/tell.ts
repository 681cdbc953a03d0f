import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'

export interface ToldTask {
  id: number
  chat_id: number | null
  user_id: number
  performer_ids: number[]
}

/** Tells those who may see a task what became of it. */
export async function tellOfTask(
  tx: Tx,
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  what: 'created' | 'updated' | 'deleted',
  task: ToldTask,
) {
  const { chat_id, user_id, performer_ids } = task
  const payload = { task_id: task.id, chat_id, user_id, performer_ids }
  await emit(tx, ctx, actor, { type: `task.${what}`, chat_id, payload })
}
