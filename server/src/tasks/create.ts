import { type Task, type TaskCreateRequest, type TaskKind, taskCreated } from '@parley/contract'
import { listDefinitions, writeValues } from '../custom-properties/queries.js'
import { checkValues } from '../custom-properties/values.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { dueAfter } from './due.js'
import { emitTaskEvent } from './emit.js'
import { judgeTask } from './judge.js'
import { holdPerformers, performersFrom } from './performers.js'
import { loadTasks } from './present.js'
import { findChatForTask, insertTask, writePerformers } from './queries.js'
import { nextReminder, planReminder } from './remind.js'
import { mayLink } from './rules.js'

const CONTENT: Record<TaskKind, string> = {
  call: 'Call',
  email: 'Email',
  event: 'Event',
  meeting: 'Meeting',
  reminder: 'Reminder',
}

export interface Made {
  task: Task
  /** Whether some of the performers named were left out. */
  dropped: boolean
}

export function createTask(ctx: Context, actor: Actor, input: TaskCreateRequest['task']): Promise<Made> {
  const due = dueAfter({ due_at: null, all_day: false }, input)
  return transaction(ctx, async (tx) => {
    await holdPerformers(tx, actor, input.performer_ids ?? [])
    if (input.chat_id !== undefined) await ensureChat(tx, actor, input.chat_id)
    const given = input.content?.trim() || CONTENT[input.kind]
    const { content, records } = await judgeTask(tx, ctx, actor, input.chat_id ?? null, given)
    const values = input.custom_properties ?? []
    if (values.length > 0) checkValues(await listDefinitions(tx, 'Task'), values)
    const performers = await performersFrom(tx, actor, input.performer_ids ?? [])
    const remind_at = await nextReminder(tx, ctx, due)

    const id = await insertTask(tx, {
      ...due,
      remind_at,
      kind: input.kind,
      content,
      priority: input.priority ?? 1,
      user_id: actor.user_id,
      chat_id: input.chat_id ?? null,
      created_at: now(ctx.clock),
    })
    await writePerformers(tx, id, performers.ids)
    if (values.length > 0) await writeValues(tx, 'Task', id, values)
    await planReminder(tx, ctx, id, remind_at)
    const task = found((await loadTasks(tx, [id]))[0])
    await emitTaskEvent(tx, ctx, actor, taskCreated, task)
    await record(tx, ctx, actor, records(id))
    return { task, dropped: performers.dropped }
  })
}

/** A task hangs in a live conversation, or in a personal chat, of which its author is a member. */
async function ensureChat(tx: Tx, actor: Actor, chatId: number) {
  const detail = { key: 'chat_id', value: chatId }
  const chat = found(await findChatForTask(tx, actor, chatId), detail)
  if (chat.kind !== 'thread') ensure(mayLink(chat), 'create_task', { type: 'Chat', id: chat.id })
  if (chat.kind === 'channel' || chat.kind === 'thread' || chat.archived_at)
    throw new Problem(422, 'not_applicable', {
      ...detail,
      message: 'a task hangs in a discussion or a personal chat that is not archived',
    })
}
