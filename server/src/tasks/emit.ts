import type { taskCreated, taskDeleted, taskUpdated } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'

export interface EmittedTask {
  id: number
  chat_id: number | null
  user_id: number
  performer_ids: number[]
  former_performer_ids?: number[]
}

/** Tells those who may see a task what became of it. */
export async function emitTaskEvent(
  tx: Tx,
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  event: typeof taskCreated | typeof taskUpdated | typeof taskDeleted,
  { id: task_id, chat_id, user_id, performer_ids, former_performer_ids: former = [] }: EmittedTask,
) {
  const about = { task_id, chat_id, user_id, performer_ids }
  await emit(tx, ctx, actor, event, former.length > 0 ? { ...about, former_performer_ids: former } : about)
}
