import { taskDeleted, taskUpdated } from '@parley/contract'
import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { type EmittedTask, emitTaskEvent } from './emit.js'

/** What a deleted person alone was to do is deleted; of what others do too he is no performer any more. */
export async function dropPerformer(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  const { rows: alone } = await sql<EmittedTask>`
    delete from tasks t using task_performers p
    where p.task_id = t.id and p.user_id = ${userId}
      and not exists (select from task_performers o where o.task_id = t.id and o.user_id <> ${userId})
    returning t.id, t.chat_id, t.user_id, array[p.user_id] as performer_ids`.execute(tx)
  for (const task of alone) await emitTaskEvent(tx, ctx, actor, taskDeleted, task)
  const { rows: shared } = await sql<EmittedTask>`
    with gone as (delete from task_performers where user_id = ${userId} returning task_id)
    select t.id, t.chat_id, t.user_id,
      array(select p.user_id from task_performers p
        where p.task_id = t.id and p.user_id <> ${userId} order by p.user_id) as performer_ids
    from gone join tasks t on t.id = gone.task_id`.execute(tx)
  for (const task of shared) await emitTaskEvent(tx, ctx, actor, taskUpdated, task)
}
