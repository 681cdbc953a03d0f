import { archiveMembershipsJob, chatArchived, chatUnarchived } from '@parley/contract'
import { lockOccupiedBots } from '../chats/bot-queries.js'
import { asCaretaker } from '../chats/caretaker.js'
import { deleteMembers, listGuestIds } from '../chats/member-queries.js'
import {
  type ChatFor,
  findDisplayName,
  listDisplayNames,
  lockChatFor,
  lockForLeaving,
  updateChatRow,
} from '../chats/queries.js'
import { emitLeft, followOut, leaveThreads } from '../chats/roster.js'
import { keepTagged, placeMembers } from '../chats/roster-queries.js'
import { mayArchive, mayUnarchive } from '../chats/rules.js'
import { listBoundTagIds, unbindTagRows } from '../chats/tag-queries.js'
import { postSystemMessage } from '../messages/system.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { ensure, found } from '../platform/problem.js'
import { lockTags } from '../tags/queries.js'

/** Archives a chat: guests leave it and its threads, its tags are unbound, and members that a tag added stay as if added by hand. */
export function archiveChat(ctx: Context, actor: Actor, chatId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    await lockTags(tx, await listBoundTagIds(tx, chatId))
    const chat = found(await lockChatFor(tx, actor, chatId), { key: 'id', value: chatId })
    const may = mayArchive(chat)
    const verdict = chat.archived_at ? may : await asCaretaker(tx, actor, chat, may)
    ensure(verdict, 'archive', { type: 'Chat', id: chatId })
    // A tag may have been bound before the chat was ours; its lock, out of order, can only end in a second attempt.
    const tagIds = await listBoundTagIds(tx, chatId)
    await lockTags(tx, tagIds)
    const guests = await listGuestIds(tx, chatId)

    const unbound = tagIds.map((id) => ({
      event_key: 'tag_removed_from_chat',
      entity_type: 'GroupTag',
      entity_id: id,
      details: { chat_id: chatId },
    }))
    await record(tx, ctx, actor, unbound)
    await emit(tx, ctx, actor, chatArchived, { chat_id: chatId })
    await lockForLeaving(tx, chatId)
    await emitLeft(tx, ctx, actor, chat, await deleteMembers(tx, chatId, guests))
    await leaveThreads(tx, ctx, actor, chatId, guests)
    await enqueue(tx, ctx, archiveMembershipsJob, { chat_id: chatId })
    await keepTagged(tx, chatId)
    await unbindTagRows(tx, chatId, tagIds)
    await updateChatRow(tx, chatId, { archived_at: now(ctx.clock) })
    const content = `${await findDisplayName(tx, actor)} archived the chat`
    await postSystemMessage(tx, ctx, actor, chatId, { content, kind: 'chat_archived' })
  })
}

/** Bots that are for one chat and found another meanwhile do not come back with it. */
async function leaveOut(tx: Tx, ctx: Context, actor: Actor, chat: ChatFor, botIds: readonly number[]) {
  await lockForLeaving(tx, chat.id)
  const out = await deleteMembers(tx, chat.id, botIds)
  await followOut(tx, ctx, actor, chat, out)
  const names = await listDisplayNames(tx, out)
  for (const id of out) {
    const content = `${names.get(id)} was left out: it is for one chat and is in another`
    await postSystemMessage(tx, ctx, actor, chat.id, { content, kind: 'member_removed', user_ids: [id] })
  }
}

/** Brings a chat back; neither guests nor tags come with it. An active chat stays as it is. */
export function unarchiveChat(ctx: Context, actor: Actor, chatId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const occupied = await lockOccupiedBots(tx, chatId)
    const chat = found(await lockChatFor(tx, actor, chatId), { key: 'id', value: chatId })
    const verdict = await asCaretaker(tx, actor, chat, mayUnarchive(chat))
    ensure(verdict, 'unarchive', { type: 'Chat', id: chatId })
    if (chat.archived_at === null) return
    await leaveOut(tx, ctx, actor, chat, occupied)
    await placeMembers(tx, chatId, 'group', null)
    await updateChatRow(tx, chatId, { archived_at: null })
    await emit(tx, ctx, actor, chatUnarchived, { chat_id: chatId })
    const content = `${await findDisplayName(tx, actor)} brought the chat back from the archive`
    await postSystemMessage(tx, ctx, actor, chatId, { content, kind: 'chat_unarchived' })
  })
}
