import type { TimelineMessage } from '@parley/contract'
import type { Run } from './state.js'

/** A reply changes the line below the message that its thread hangs under. */
export function withReply(run: Run, reply: TimelineMessage, me: number): Run {
  const parent = run.messages.find(({ thread }) => thread?.chat_id === reply.chat_id)
  if (!parent?.thread || (parent.thread.last_reply_at ?? '') >= reply.created_at) return run
  const { thread } = parent
  const others = thread.last_replier_ids.filter((id) => id !== reply.user_id)
  const next: TimelineMessage = {
    ...parent,
    thread: {
      ...thread,
      replies_count: thread.replies_count + 1,
      last_reply_at: reply.created_at,
      last_replier_ids: [reply.user_id, ...others].slice(0, 3),
      following: thread.following || reply.user_id === me,
      unread_count: thread.following && reply.user_id !== me ? thread.unread_count + 1 : thread.unread_count,
    },
  }
  return { ...run, messages: run.messages.map((one) => (one === parent ? next : one)) }
}
