import type { Actor } from '../platform/actor.js'
import { ALLOW, refuse, type Verdict } from '../platform/problem.js'
import type { TaskChat, TaskFor } from './queries.js'

function takesPart(actor: Actor, task: TaskFor): boolean {
  return task.user_id === actor.user_id || task.performer_ids.includes(actor.user_id)
}

/** Author and performers, and everybody to whom the chat is open. */
export function mayRead(actor: Actor, task: TaskFor): Verdict {
  if (takesPart(actor, task) || task.in_chat) return ALLOW
  return task.chat_public && actor.role !== 'multi_guest' ? ALLOW : refuse('task.read')
}

/** Only the author and the performers, though others may see it. */
export function mayChange(actor: Actor, task: TaskFor): Verdict {
  return takesPart(actor, task) ? ALLOW : refuse('task.change')
}

/** One links a task to a chat by being in it. */
export function mayLink(chat: Pick<TaskChat, 'in_chat'>): Verdict {
  return chat.in_chat ? ALLOW : refuse('task.link', { chat_role: null })
}
