import type { Chat } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { listChatDetails } from './detail-queries.js'
import { meetPattern } from './meet.js'
import { presentChat } from './present.js'
import type { ChatRow } from './queries.js'

/** These chats as the actor sees them, in the order given, with one query for all. */
export async function loadChats(
  ctx: Pick<Context, 'db' | 'config'>,
  actor: Pick<Actor, 'user_id'>,
  rows: readonly ChatRow[],
): Promise<Chat[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const details = await listChatDetails(ctx.db, actor, ids)
  return rows.map((row) => presentChat(meetPattern(ctx.config), row, details.get(row.id)))
}

export async function loadChat(
  ctx: Pick<Context, 'db' | 'config'>,
  actor: Pick<Actor, 'user_id'>,
  row: ChatRow,
): Promise<Chat> {
  const [chat] = await loadChats(ctx, actor, [row])
  return chat as Chat
}
