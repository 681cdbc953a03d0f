import type { MessageEntityType } from '@parley/contract'
import { openPersonalChat } from '../chats/open-personal.js'
import { otherSide } from '../chats/personal.js'
import { findPersonalChat } from '../chats/personal-queries.js'
import { type ChatFor, findChatFor, holdRoster, lockCount } from '../chats/queries.js'
import { mayWrite } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { findOtherSide } from './target-queries.js'
import { findThreadChat } from './thread-queries.js'

export interface Entity {
  entity_type: MessageEntityType
  entity_id: number
}

async function ensureReachable(db: Db, actor: Actor, userId: number, chatId: number | null) {
  const other = found(await findOtherSide(db, actor, userId, chatId), { key: 'entity_id', value: userId })
  if (other.gone)
    throw new Problem(422, 'personal_chat', {
      key: 'entity_id',
      value: userId,
      message: 'the person was suspended or deleted',
    })
  if (!other.reachable && actor.role !== 'bot') {
    throw new Problem(403, 'not_authorized', {
      payload: { record: { type: 'User', id: userId }, query: 'write' },
      rule: 'chat.write.person',
    })
  }
}

async function judgedChat(db: Db, actor: Actor, chatId: number, entity: Entity): Promise<ChatFor> {
  const chat = found(await findChatFor(db, actor, chatId), { key: 'entity_id', value: entity.entity_id })
  ensure(mayWrite(actor, chat), 'write', { type: 'Chat', id: chat.id })
  if (chat.kind === 'personal' && entity.entity_type !== 'user')
    await ensureReachable(db, actor, otherSide(chat, actor.user_id), chat.id)
  return chat
}

/**
 * The chat a message would go to, judged: 404 where it is not there, 403 where the actor may not write. Null where it
 * is a personal chat that is not open yet.
 */
export async function findTarget(db: Db, actor: Actor, entity: Entity): Promise<ChatFor | null> {
  const { entity_type, entity_id } = entity
  if (entity_type === 'user') {
    const known = await findPersonalChat(db, actor.user_id, entity_id)
    await ensureReachable(db, actor, entity_id, known?.id ?? null)
    return known ? judgedChat(db, actor, known.id, entity) : null
  }
  const id =
    entity_type === 'thread'
      ? found(await findThreadChat(db, entity_id), { key: 'entity_id', value: entity_id })
      : entity_id
  return judgedChat(db, actor, id, entity)
}

/** The same; a personal chat is opened when it is not there. */
export async function openTarget(tx: Tx, ctx: Context, actor: Actor, entity: Entity): Promise<ChatFor> {
  const chat = await findTarget(tx, actor, entity)
  if (chat?.kind === 'thread') {
    // A comment brings its author into the thread: judged again where nobody can remove them from the chat meanwhile.
    if (chat.parent_chat_id) await holdRoster(tx, chat.parent_chat_id)
    await lockCount(tx, chat.id)
    return judgedChat(tx, actor, chat.id, entity)
  }
  if (chat) return chat
  return judgedChat(tx, actor, await openPersonalChat(tx, ctx, actor.user_id, entity.entity_id), entity)
}

/** What a message of the chat belongs to, as this person sees it. */
export function entityOf(
  chat: Pick<ChatFor, 'id' | 'kind' | 'thread_id' | 'personal_key'>,
  viewerId: number,
): Entity {
  if (chat.kind === 'thread') return { entity_type: 'thread', entity_id: chat.thread_id as number }
  if (chat.kind === 'personal') return { entity_type: 'user', entity_id: otherSide(chat, viewerId) }
  return { entity_type: 'discussion', entity_id: chat.id }
}

/** The chat whose members, quota and rights a message concerns: of a thread the one it hangs in. */
export function rootOf(chat: ChatFor): number {
  return chat.parent_chat_id ?? chat.id
}
