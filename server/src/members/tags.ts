import { chatUpdated, releaseMembersJob } from '@parley/contract'
import { listUnaddableBots } from '../chats/bot-queries.js'
import { mayBindTags, mayUnbindTags } from '../chats/member-rules.js'
import { findDisplayName, lockChatFor } from '../chats/queries.js'
import { emitJoined } from '../chats/roster.js'
import { joinByTags, joinNewByTags, type Membership } from '../chats/roster-queries.js'
import { bindTagRows, unbindTagRows } from '../chats/tag-queries.js'
import { postSystemMessage } from '../messages/system.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { NO_ITEMS } from '../platform/http/fault-text.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { lockTags } from '../tags/queries.js'

const idsOf = (people: readonly Membership[]) => people.map(({ user_id }) => user_id)

async function tellChanged(tx: Tx, ctx: Context, actor: Actor, chatId: number) {
  await emit(tx, ctx, actor, chatUpdated, { chat_id: chatId })
}

/**
 * Binds tags to a chat and lets in their people, within the call; one that is bound already brings its people again. Bots
 * that the actor may not add are left out.
 */
export function bindTags(ctx: Context, actor: Actor, chatId: number, tagIds: readonly number[]) {
  const ids = [...new Set(tagIds)]
  return transaction(ctx, async (tx) => {
    const tags = await lockTags(tx, ids)
    const chat = found(await lockChatFor(tx, actor, chatId), { key: 'id', value: chatId })
    if (chat.kind === 'personal' && chat.my_role !== null)
      throw new Problem(422, 'personal_chat', { key: 'id', message: 'a personal chat has no tags' })
    ensure(mayBindTags(actor, chat), 'add_group_tags', { type: 'Chat', id: chatId })
    if (ids.length === 0) throw new Problem(422, 'blank', { key: 'group_tag_ids', message: NO_ITEMS })
    const known = new Set(tags.map(({ id }) => id))
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length > 0) throw new Problem(404, 'not_found', { key: 'group_tag_ids', value: unknown })

    const fresh = new Set(await bindTagRows(tx, chatId, ids))
    const joined = await joinNewByTags(tx, ctx, actor, { chat_id: chatId, tag_ids: ids })
    const bound = tags.filter(({ id }) => fresh.has(id))
    const records = bound.map(({ id, name }) => ({
      event_key: 'tag_added_to_chat',
      entity_type: 'GroupTag',
      entity_id: id,
      details: { chat_id: chatId, tag_name: name },
    }))
    await record(tx, ctx, actor, records)
    await emitJoined(tx, ctx, actor, chat, idsOf(joined))
    if (bound.length > 0) await tellChanged(tx, ctx, actor, chatId)
    const who = await findDisplayName(tx, actor)
    for (const { name } of bound) {
      const content = `${who} bound the tag "${name}"`
      await postSystemMessage(tx, ctx, actor, chatId, { content, kind: 'tag_bound', name })
    }
    // People who lost a membership through another tag in the meantime are added here. Those who are in are locked, after
    // the chat: they may be writing right now.
    const late = await joinByTags(tx, ctx, actor, { chat_id: chatId, tag_ids: ids })
    await emitJoined(tx, ctx, actor, chat, idsOf(late))
    return { left_out: await listUnaddableBots(tx, actor, chatId, ids) }
  })
}

/** Unbinds a tag at once; its people leave in the background, because they may be many. */
export function unbindTag(ctx: Context, actor: Actor, chatId: number, tagId: number) {
  return transaction(ctx, async (tx) => {
    const [tag] = await lockTags(tx, [tagId])
    const chat = found(await lockChatFor(tx, actor, chatId), { key: 'id', value: chatId })
    ensure(mayUnbindTags(chat), 'remove_group_tag', { type: 'Chat', id: chatId })
    const [unbound] = await unbindTagRows(tx, chatId, [tagId])
    found(tag && unbound, { key: 'tag_id', value: tagId })
    const about = { event_key: 'tag_removed_from_chat', entity_type: 'GroupTag', entity_id: tagId }
    await record(tx, ctx, actor, { ...about, details: { chat_id: chatId } })
    const { user_id: actor_id, role, plan } = actor
    await enqueue(tx, ctx, releaseMembersJob, { chat_id: chatId, tag_id: tagId, actor_id, role, plan })
    await tellChanged(tx, ctx, actor, chatId)
    const who = await findDisplayName(tx, actor)
    const name = tag?.name ?? ''
    const content = `${who} unbound the tag "${name}"`
    await postSystemMessage(tx, ctx, actor, chatId, { content, kind: 'tag_unbound', name })
  })
}
