import { admitToChat } from '../chats/admit.js'
import { lockPeople } from '../chats/member-queries.js'
import { mayAddMembers } from '../chats/member-rules.js'
import { type ChatFor, listDisplayNames, lockChatFor, lockCount } from '../chats/queries.js'
import { emitJoined } from '../chats/roster.js'
import { holdByHand, joinByHand } from '../chats/roster-queries.js'
import { postSystemMessage } from '../messages/system.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { NO_ITEMS } from '../platform/http/fault-text.js'
import { ensure, found, Problem } from '../platform/problem.js'

export interface NewMembers {
  member_ids: readonly number[]
  silent?: boolean
}

/** Adds people and bots to a chat or thread: all of them, or nobody. */
export function addMembers(ctx: Context, actor: Actor, chatId: number, input: NewMembers): Promise<void> {
  const ids = [...new Set(input.member_ids)]
  return transaction(ctx, async (tx) => {
    await lockPeople(tx, ids)
    const chat = found(await lockChatFor(tx, actor, chatId), { key: 'id', value: chatId })
    if (chat.kind === 'personal' && chat.my_role !== null)
      throw new Problem(422, 'personal_chat', { key: 'id', message: 'nobody is added to a personal chat' })
    ensure(mayAddMembers(actor, chat), 'add_members', { type: 'Chat', id: chatId })
    if (ids.length === 0) throw new Problem(422, 'blank', { key: 'member_ids', message: NO_ITEMS })
    const admitted = await admitToChat(tx, actor, chat, ids)
    await lockCount(tx, chatId)
    const joined = await joinByHand(tx, ctx, chat, admitted)
    await emitJoined(tx, ctx, actor, chat, joined)
    if (!input.silent) await writeJoined(tx, ctx, actor, chat, joined)
    await holdByHand(tx, chatId, admitted)
  })
}

const NAMED = 10

async function writeJoined(tx: Tx, ctx: Context, actor: Actor, chat: ChatFor, joined: readonly number[]) {
  if (joined.length === 0) return
  const shown = joined.slice(0, NAMED)
  const names = await listDisplayNames(tx, [actor.user_id, ...shown])
  const who = names.get(actor.user_id)
  const listed = shown.map((id) => names.get(id)).join(', ')
  const rest = joined.length > NAMED ? ` and ${joined.length - NAMED} more` : ''
  const alone = joined.length === 1 && joined[0] === actor.user_id
  const text = alone ? `${who} joined the chat` : `${who} added ${listed}${rest}`
  const kind = alone ? 'member_joined' : 'members_added'
  await postSystemMessage(tx, ctx, actor, chat.id, { content: text, kind, user_ids: joined })
}
