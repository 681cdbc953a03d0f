import { moveMorningsJob, remindJob } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { notifyPerson } from '../platform/events/notice.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { type Due, reminderOf } from './due.js'
import { findTimeZone, updateTaskRow } from './queries.js'
import { lockAllDayTasks, takeReminder } from './reminder-queries.js'

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

/** Tells the performers, once. A task that was done, moved or deleted meanwhile is silent. */
export function remind(ctx: Context, task_id: number, remind_at: Date): Promise<void> {
  return transaction(ctx, async (tx) => {
    const task = await takeReminder(tx, task_id, remind_at)
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
    const tasks = await lockAllDayTasks(tx, after, BATCH)
    const zone = await findTimeZone(tx)
    for (const task of tasks) {
      const remind_at = reminderOf(task, zone)
      if (remind_at?.getTime() === task.remind_at?.getTime()) continue
      await updateTaskRow(tx, task.id, { remind_at })
      await planReminder(tx, ctx, task.id, remind_at)
    }
    const last = tasks.at(-1)
    if (tasks.length === BATCH && last) await enqueue(tx, ctx, moveMorningsJob, { after: last.id })
  })
}
