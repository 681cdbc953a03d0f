import { taskDeleted, taskUpdated } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emitTaskEvent } from './emit.js'
import { deletePerformer, deleteTasksOfOnly, lockTasksOf } from './performer-queries.js'

/** Deletes tasks whose only performer is the deleted person, and removes the person from tasks with others. */
export async function dropPerformer(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  await lockTasksOf(tx, userId)
  const alone = await deleteTasksOfOnly(tx, userId)
  for (const task of alone) await emitTaskEvent(tx, ctx, actor, taskDeleted, task)
  const shared = await deletePerformer(tx, userId)
  for (const task of shared) await emitTaskEvent(tx, ctx, actor, taskUpdated, task)
}
