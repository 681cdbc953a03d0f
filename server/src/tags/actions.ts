import { groupTagCreated, groupTagDeleted, groupTagUpdated, keepMembersJob } from '@parley/contract'
import { listBoundChatIds } from '../chats/tag-queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { found } from '../platform/problem.js'
import { checkTagName } from './name.js'
import { deleteTagRow, insertTag, lockTags, renameTagRow, type TagRow } from './queries.js'

export function createTag(ctx: Context, actor: Actor, name: string): Promise<TagRow> {
  const checked = checkTagName(name)
  return transaction(ctx, async (tx) => {
    const tag = await insertTag(tx, { name: checked, created_at: now(ctx.clock) })
    const about = { event_key: 'tag_created', entity_type: 'GroupTag', entity_id: tag.id }
    await record(tx, ctx, actor, { ...about, details: { name: checked } })
    await emit(tx, ctx, actor, groupTagCreated, { id: tag.id, name: checked })
    return tag
  })
}

/** People and chats keep the tag under its new name; the same name emits no event. */
export function renameTag(ctx: Context, actor: Actor, tagId: number, name: string): Promise<TagRow> {
  const checked = checkTagName(name)
  return transaction(ctx, async (tx) => {
    const [tag] = await lockTags(tx, [tagId])
    const known = found(tag, { key: 'id', value: tagId })
    if (known.name === checked) return known
    await renameTagRow(tx, tagId, checked)
    await emit(tx, ctx, actor, groupTagUpdated, { id: tagId, name: checked })
    return { ...known, name: checked }
  })
}

/** Takes the tag from everybody and everywhere; whom it brought into a chat stays there as if added by hand. */
export function deleteTag(ctx: Context, actor: Actor, tagId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const [tag] = await lockTags(tx, [tagId])
    const { name } = found(tag, { key: 'id', value: tagId })
    const chat_ids = await listBoundChatIds(tx, tagId)
    await deleteTagRow(tx, tagId)
    const about = { event_key: 'tag_deleted', entity_type: 'GroupTag', entity_id: tagId }
    await record(tx, ctx, actor, { ...about, details: { name } })
    await emit(tx, ctx, actor, groupTagDeleted, { id: tagId, name })
    if (chat_ids.length > 0) await enqueue(tx, ctx, keepMembersJob, { tag_id: tagId, chat_ids })
  })
}
