import type { Chat } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { readChatTexts } from './chat-queries.js'
import { meetPattern } from './meet.js'

/** These chats as the actor sees them, in the order given; ids that name none are left out. */
export async function loadChats(
  ctx: Pick<Context, 'db' | 'config'>,
  actor: Pick<Actor, 'user_id'>,
  ids: readonly number[],
): Promise<Chat[]> {
  if (ids.length === 0) return []
  const texts = await readChatTexts(ctx.db, actor.user_id, meetPattern(ctx.config), ids)
  return ids.flatMap((id) => {
    const text = texts.get(id)
    return text === undefined ? [] : [JSON.parse(text) as Chat]
  })
}

export async function loadChat(
  ctx: Pick<Context, 'db' | 'config'>,
  actor: Pick<Actor, 'user_id'>,
  id: number,
): Promise<Chat> {
  const [chat] = await loadChats(ctx, actor, [id])
  return chat as Chat
}
