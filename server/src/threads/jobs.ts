import type { inviteMentionedJob, JobPayload } from '@parley/contract'
import { findChatFor } from '../chats/queries.js'
import { joinThread } from '../messages/join-thread.js'
import { findMentioned } from '../messages/mentions.js'
import { findMessage } from '../messages/queries.js'
import { actingFor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { findThread, listAmong } from './queries.js'

type Payload = JobPayload<typeof inviteMentionedJob>

/** Brings those whom the parent message names, and who are in its chat, into the thread under it. */
async function inviteMentioned(ctx: Context, { thread_id, actor_id, plan }: Payload) {
  await transaction(ctx, async (tx) => {
    const thread = await findThread(tx, thread_id)
    const message = thread?.message_id ? await findMessage(tx, thread.message_id) : undefined
    if (!thread || !message || message.deleted_at) return
    const actor = actingFor(actor_id, 'user', plan)
    const { user_ids, bot_ids } = await findMentioned(tx, actor, message.content)
    const members = await listAmong(tx, message.chat_id, [...user_ids, ...bot_ids])
    const chat = await findChatFor(tx, actor, thread.chat_id)
    // They are among its first members, also where somebody has answered already.
    if (chat) await joinThread(tx, ctx, actor, chat, members, { id: 1, number: 1 })
  })
}

export function threadJobs(ctx: Context) {
  return {
    'threads.invite_mentioned': {
      run: ({ payload }) => inviteMentioned(ctx, payload),
    },
  } satisfies Partial<JobHandlers>
}
