import type { TimelineMessage } from '@parley/contract'
import type { LiveFrame } from '../platform/changes.js'
import type { Run } from './state.js'

type ThreadLine = NonNullable<TimelineMessage['thread']>

/** Whoever replies has read the thread; nobody is told of one that they do not follow. */
export function unreadWith(
  { following, unread_count }: Pick<ThreadLine, 'following' | 'unread_count'>,
  { user_id }: TimelineMessage,
  me: number,
): number {
  if (user_id === me) return 0
  return following ? unread_count + 1 : unread_count
}

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
      unread_count: unreadWith(thread, reply, me),
    },
  }
  return { ...run, messages: run.messages.map((one) => (one === parent ? next : one)) }
}

/** Following a thread means being a member of its chat: whether the person is after an event; null where it says nothing of that. */
export function followingAfter({ type, payload }: LiveFrame, me: number): boolean | null {
  if (!payload.user_ids?.includes(me)) return null
  if (type === 'chat_members.added') return true
  return type === 'chat_members.removed' ? false : null
}

/** Whoever comes into a thread has read it, and nothing counts as unread for those who left. */
export function withFollowing(run: Run, chatId: number, following: boolean): Run {
  const parent = run.messages.find(({ thread }) => thread?.chat_id === chatId)
  if (!parent?.thread || parent.thread.following === following) return run
  const next = { ...parent, thread: { ...parent.thread, following, unread_count: 0 } }
  return { ...run, messages: run.messages.map((one) => (one === parent ? next : one)) }
}
