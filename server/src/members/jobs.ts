import type {
  JobPayload,
  keepMembersJob,
  leaveAgainJob,
  recountMembersJob,
  releaseMembersJob,
} from '@parley/contract'
import { lockChatFor } from '../chats/queries.js'
import { followOut } from '../chats/roster.js'
import { keepTaggedBy, placeMembers, recountRosters, releaseFromChat } from '../chats/roster-queries.js'
import { listBoundTagIds } from '../chats/tag-queries.js'
import { actingFor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { lockTags } from '../tags/queries.js'
import { leaveEverything } from './leave-everything.js'

export function memberJobs(ctx: Context) {
  return {
    'members.release': { run: ({ payload }) => release(ctx, payload) },
    'members.shelve': { run: ({ payload }) => shelve(ctx, payload) },
    'members.keep': { run: ({ payload }) => keep(ctx, payload) },
    'members.leave': { run: ({ payload }) => leaveAgain(ctx, payload) },
    'members.recount': { run: ({ payload }) => recount(ctx, payload) },
  } satisfies Partial<JobHandlers>
}

function release(
  ctx: Context,
  { chat_id, tag_id, actor_id, role, plan }: JobPayload<typeof releaseMembersJob>,
): Promise<void> {
  const actor = actingFor(actor_id, role, plan)
  return transaction(ctx, async (tx) => {
    await lockTags(tx, [tag_id])
    const chat = await lockChatFor(tx, actor, chat_id)
    // Bound again meanwhile: its people are held as before. People who lost the tag have already left.
    if (!chat || (await listBoundTagIds(tx, chat_id)).includes(tag_id)) return
    await followOut(tx, ctx, actor, chat, await releaseFromChat(tx, chat_id, tag_id))
  })
}

const AT_A_TIME = 1000

/** A part at a time, each for itself; a chat that is back from the archive by now is left alone. */
async function shelve(ctx: Context, { chat_id }: { chat_id: number }): Promise<void> {
  for (let moved = AT_A_TIME; moved === AT_A_TIME; ) {
    moved = await transaction(ctx, async (tx) => {
      const chat = await lockChatFor(tx, { user_id: 0 }, chat_id)
      return chat?.archived_at ? placeMembers(tx, chat_id, 'archive', AT_A_TIME) : 0
    })
  }
}

/** One chat at a time: until its turn comes, a tag that is gone holds its people there just as well. */
async function keep(ctx: Context, { tag_id, chat_ids }: JobPayload<typeof keepMembersJob>): Promise<void> {
  for (const chatId of chat_ids) await transaction(ctx, (tx) => keepTaggedBy(tx, chatId, tag_id))
}

/** Counts first: leaving takes a deleted person from no count. */
async function leaveAgain(
  ctx: Context,
  { user_id, actor_id, role, plan }: JobPayload<typeof leaveAgainJob>,
): Promise<void> {
  await recount(ctx, { user_id })
  await transaction(ctx, (tx) => leaveEverything(tx, ctx, actingFor(actor_id, role, plan), user_id))
}

const COUNTED_AT_A_TIME = 50

/** Chats that the person had joined a moment before, unseen by the suspension, are counted too. */
async function recount(ctx: Context, { user_id }: JobPayload<typeof recountMembersJob>): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after
    after = await transaction(ctx, (tx) => recountRosters(tx, user_id, from, COUNTED_AT_A_TIME))
  }
}
