import { isDeepStrictEqual } from 'node:util'
import { type TaskUpdateRequest, taskDeleted, taskUpdated } from '@parley/contract'
import { listDefinitions, writeValues } from '../custom-properties/queries.js'
import { checkValues } from '../custom-properties/values.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK, NO_ITEMS } from '../platform/http/fault-text.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'
import type { Made } from './create.js'
import { type Due, dueAfter } from './due.js'
import { emitTaskEvent } from './emit.js'
import { judgeTask } from './judge.js'
import { holdPerformers, performersFrom } from './performers.js'
import { loadTasks, presentTask } from './present.js'
import { deleteTaskRow, lockTaskFor, type TaskFor, updateTaskRow, writePerformers } from './queries.js'
import { nextReminder, planReminder } from './remind.js'
import { mayChange } from './rules.js'

type TaskChange = TaskUpdateRequest['task']

/** Changes what was passed; the chat of a task never changes. A change of nothing emits no event. */
export function updateTask(ctx: Context, actor: Actor, id: number, input: TaskChange): Promise<Made> {
  return transaction(ctx, async (tx) => {
    if (input.performer_ids) await holdPerformers(tx, actor, input.performer_ids)
    const before = found(await lockTaskFor(tx, actor, id), { key: 'id', value: id })
    ensure(mayChange(actor, before), 'update', { type: 'Task', id })
    const values = input.custom_properties ?? []
    const definitions = await listDefinitions(tx, 'Task')
    checkValues(definitions, values)
    if (input.performer_ids?.length === 0)
      throw new Problem(422, 'blank', { key: 'performer_ids', message: NO_ITEMS })

    const plain = plainChanges(input)
    const said = plain.content !== before.content && plain.content
    const judged = said ? await judgeTask(tx, ctx, actor, before.chat_id, said) : undefined
    const due = dueAfter(before, input)
    const reminder = await reminderAfter(tx, ctx, before, due)
    const changes = { ...due, ...reminder, ...doneAfter(ctx, before, input), ...plain }
    if (judged) changes.content = judged.content
    await updateTaskRow(tx, id, changes)
    const performers = input.performer_ids && (await performersFrom(tx, actor, input.performer_ids))
    if (performers) await writePerformers(tx, id, performers.ids)
    if (values.length > 0) await writeValues(tx, 'Task', id, values)

    const task = found((await loadTasks(tx, [id]))[0])
    const former_performer_ids = before.performer_ids.filter((id) => !task.performer_ids.includes(id))
    if (!isDeepStrictEqual(task, presentTask(before, definitions)))
      await emitTaskEvent(tx, ctx, actor, taskUpdated, { ...task, former_performer_ids })
    if (judged) await record(tx, ctx, actor, judged.records(id))
    return { task, dropped: performers?.dropped ?? false }
  })
}

function plainChanges({ kind, content, priority }: TaskChange) {
  if (content !== undefined && content.trim() === '')
    throw new Problem(422, 'blank', { key: 'content', value: content, message: BLANK })
  return { kind, content: content?.trim(), priority }
}

/** A time of completion wins over the word; what is no time clears the mark. */
function doneAfter(ctx: Context, before: TaskFor, { status, done_at }: TaskChange) {
  if (status === 'undone') return { done_at: null }
  if (done_at !== undefined) return { done_at: (typeof done_at === 'string' && parseTime(done_at)) || null }
  if (status === 'done') return { done_at: before.done_at ?? now(ctx.clock) }
  return {}
}

/** A task with a new due time gets a new reminder. */
async function reminderAfter(tx: Tx, ctx: Context, before: TaskFor, due: Due) {
  if (due.due_at?.getTime() === before.due_at?.getTime() && due.all_day === before.all_day) return {}
  const remind_at = await nextReminder(tx, ctx, due)
  await planReminder(tx, ctx, before.id, remind_at)
  return { remind_at }
}

export function deleteTask(ctx: Context, actor: Actor, id: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const task = found(await lockTaskFor(tx, actor, id), { key: 'id', value: id })
    ensure(mayChange(actor, task), 'destroy', { type: 'Task', id })
    await deleteTaskRow(tx, id)
    await emitTaskEvent(tx, ctx, actor, taskDeleted, task)
  })
}
