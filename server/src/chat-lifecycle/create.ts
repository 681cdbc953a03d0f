import { type BodyOf, type Chat, chatCreated, type createChat } from '@parley/contract'
import { admitToNewChat, namesOfBots } from '../chats/admit.js'
import { listUnaddableBots } from '../chats/bot-queries.js'
import { loadChat } from '../chats/load.js'
import { newRoom } from '../chats/meet.js'
import { checkName, cleanDescription } from '../chats/name.js'
import { type ChatRow, insertChat } from '../chats/queries.js'
import { emitJoined } from '../chats/roster.js'
import { joinByHand, joinByTags } from '../chats/roster-queries.js'
import { bindTagRows } from '../chats/tag-queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { lockTags, type TagRow } from '../tags/queries.js'

type NewChat = BodyOf<typeof createChat>['chat']

export interface Opened {
  chat: Chat
  /** Input left aside: ids that name nobody who could join, or no tag, or a tag of bots that may not be added. */
  ignored: string[]
}

/** Opens a conversation or a channel with its first people. */
export function openChat(ctx: Context, actor: Actor, input: NewChat): Promise<Opened> {
  const name = checkName(input.name)
  return transaction(ctx, async (tx) => {
    const wanted = [...new Set(input.member_ids ?? [])].filter((id) => id !== actor.user_id)
    const people = await admitToNewChat(tx, actor, wanted)
    const tags = await lockTags(tx, [...new Set(input.group_tag_ids ?? [])])
    const row = await insertOpened(tx, ctx, actor, { ...input, name })

    await joinByHand(tx, ctx, row, [actor.user_id, ...people])
    await bindTagRows(
      tx,
      row.id,
      tags.map(({ id }) => id),
    )
    const tagged = await joinByTags(tx, ctx, actor, { chat_id: row.id, tag_ids: tags.map(({ id }) => id) })
    const joined = [...people, ...tagged.map(({ user_id }) => user_id)]
    await tellOpened(tx, ctx, actor, row, tags, joined)

    const ignored: string[] = []
    if (people.length < wanted.length) ignored.push('member_ids')
    const left_out = await listUnaddableBots(
      tx,
      actor,
      row.id,
      tags.map(({ id }) => id),
    )
    if (tags.length < new Set(input.group_tag_ids ?? []).size) ignored.push('group_tag_ids')
    ignored.push(...namesOfBots(left_out))
    return { chat: await loadChat({ ...ctx, db: tx }, actor, row.id), ignored }
  })
}

function insertOpened(tx: Tx, ctx: Context, actor: Actor, input: NewChat): Promise<ChatRow> {
  const at = now(ctx.clock)
  return insertChat(tx, {
    kind: input.channel ? 'channel' : 'conversation',
    name: input.name,
    description: cleanDescription(input.description ?? null),
    public: input.public ?? false,
    owner_id: actor.user_id,
    meet_slug: meetSlug(input.name),
    created_at: at,
    last_message_at: at,
  })
}

async function tellOpened(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  row: ChatRow,
  tags: readonly TagRow[],
  joined: number[],
) {
  await record(tx, ctx, actor, { event_key: 'chat_created', entity_type: 'Chat', entity_id: row.id })
  const bound = tags.map(({ id, name }) => ({
    event_key: 'tag_added_to_chat',
    entity_type: 'GroupTag',
    entity_id: id,
    details: { chat_id: row.id, tag_name: name },
  }))
  await record(tx, ctx, actor, bound)
  await emit(tx, ctx, actor, chatCreated, { chat_id: row.id })
  await emitJoined(tx, ctx, actor, { id: row.id, thread_id: null, parent_chat_id: null }, joined)
}

/** The address of the video room: what can be kept of the name, and 128 random bits. */
function meetSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
  return newRoom(words || 'chat')
}
