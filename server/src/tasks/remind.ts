import { moveMorningsJob, remindJob } from '@parley/contract'
import { sql } from 'kysely'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { notifyPerson } from '../platform/events/notice.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { type Due, reminderOf } from './due.js'
import { findTimeZone } from './queries.js'

/** When the reminder of a task is due; one that is in the past already is none. */
export async function nextReminder(tx: Tx, ctx: Context, due: Due): Promise<Date | null> {
  const at = reminderOf(due, await findTimeZone(tx))
  return at && at > now(ctx.clock) ? at : null
}

export async function planReminder(tx: Tx, ctx: Context, task_id: number, remind_at: Date | null) {
  if (!remind_at) return
  await enqueue(
    tx,
    ctx,
    remindJob,
    { task_id, remind_at: remind_at.toISOString() },
    { run_at: remind_at, key: `tasks.remind:${task_id}:${remind_at.getTime()}` },
  )
}

interface Reminded {
  chat_id: number | null
  content: string
  performer_ids: number[]
}

/** Tells the performers, once. A task that was done, moved or deleted meanwhile is silent. */
export function remind(ctx: Context, task_id: number, remind_at: Date): Promise<void> {
  return transaction(ctx, async (tx) => {
    const { rows } = await sql<Reminded>`
      update tasks t set remind_at = null
      where t.id = ${task_id} and t.remind_at = ${remind_at} and t.done_at is null
      returning t.chat_id, t.content,
        array(select p.user_id from task_performers p join users u on u.id = p.user_id
          where p.task_id = t.id and u.deleted_at is null order by p.user_id) as performer_ids`.execute(tx)
    const [task] = rows
    if (!task) return
    const { chat_id, content: text } = task
    for (const user_id of task.performer_ids)
      await notifyPerson(tx, ctx, user_id, { kind: 'task.due', text, task_id, chat_id })
  })
}

const BATCH = 500

/** The workspace moved to another zone: its mornings move, batch by batch. */
export function moveMornings(ctx: Context, after: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const tasks = await tx
      .selectFrom('tasks')
      .select(['id', 'due_at', 'all_day', 'remind_at'])
      .where('all_day', '=', true)
      .where('remind_at', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .forUpdate()
      .execute()
    const zone = await findTimeZone(tx)
    for (const task of tasks) {
      const remind_at = reminderOf(task, zone)
      if (remind_at?.getTime() === task.remind_at?.getTime()) continue
      await tx.updateTable('tasks').set({ remind_at }).where('id', '=', task.id).execute()
      await planReminder(tx, ctx, task.id, remind_at)
    }
    const last = tasks.at(-1)
    if (tasks.length === BATCH && last) await enqueue(tx, ctx, moveMorningsJob, { after: last.id })
  })
}
