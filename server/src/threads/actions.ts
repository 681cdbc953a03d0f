import { extractMentions, inviteMentionedJob, type Thread, threadCreated } from '@parley/contract'
import { bumpChat } from '../chats/activity-queries.js'
import { insertMembers } from '../chats/member-queries.js'
import { findChatFor, holdRoster } from '../chats/queries.js'
import { mayRead, mayStartThread } from '../chats/rules.js'
import { insertThread } from '../chats/thread-queries.js'
import { joinThread } from '../messages/join-thread.js'
import { findMessageFor, lockMessageFor, type MessageRow } from '../messages/queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { ensure, found, Problem, refuse } from '../platform/problem.js'
import { presentThread } from './present.js'
import { findThreadUnder, listFirstMembers, type ThreadRow } from './queries.js'

/** A thread and the chat of its own that it lives in; its creator is the first in it. */
async function makeThread(tx: Tx, ctx: Context, actor: Actor, parent: MessageRow | null): Promise<ThreadRow> {
  const at = now(ctx.clock)
  const thread = await insertThread(tx, actor.user_id, parent, at)
  const { chat_id } = thread
  await insertMembers(tx, chat_id, [actor.user_id], { role: 'owner', joined_at: at })
  const payload = {
    thread_id: thread.id,
    chat_id,
    root_chat_id: parent?.chat_id ?? chat_id,
    message_id: thread.message_id,
    message_chat_id: thread.message_chat_id,
  }
  await emit(tx, ctx, actor, threadCreated, payload)
  await record(tx, ctx, actor, {
    event_key: 'thread_created',
    entity_type: 'TopicThread',
    entity_id: thread.id,
  })
  return thread
}

/** A thread that hangs under no message; the creator is its only member. */
export function startThread(ctx: Context, actor: Actor): Promise<Thread> {
  return transaction(ctx, async (tx) => presentThread(await makeThread(tx, ctx, actor, null)))
}

/** The thread under a message: the one that is there, or a new one with those whom the message concerns. */
export function startThreadUnder(ctx: Context, actor: Actor, messageId: number): Promise<Thread> {
  return transaction(ctx, async (tx) => {
    // Nobody leaves the chat while its people are brought into the thread.
    await holdRoster(tx, found(await findMessageFor(tx, actor, messageId)).chat.id)
    const { message, chat } = found(await lockMessageFor(tx, actor, messageId))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id: messageId })
    if (chat.kind === 'thread') throw new Problem(400, 'thread_message')
    ensure(mayStartThread(actor, chat), 'thread', { type: 'Message', id: messageId })
    if (message.deleted_at) throw new Problem(404, 'message_deleted')
    if (message.system) ensure(refuse('message.system'), 'thread', { type: 'Message', id: messageId })
    const known = await findThreadUnder(tx, messageId)
    if (known) return presentThread(known)

    const thread = await makeThread(tx, ctx, actor, message)
    await bumpChat(tx, chat.id)
    const own = found(await findChatFor(tx, actor, thread.chat_id))
    await joinThread(tx, ctx, actor, own, await listFirstMembers(tx, messageId, chat.id))
    if (extractMentions(message.content).names.length > 0) {
      const payload = { thread_id: thread.id, actor_id: actor.user_id, plan: actor.plan }
      await enqueue(tx, ctx, inviteMentionedJob, payload)
    }
    return presentThread(thread)
  })
}
