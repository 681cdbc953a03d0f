import type { Chat } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { meetPattern } from './meet.js'
import { otherSide } from './personal.js'
import { type ChatDetails, presentChat } from './present.js'
import {
  type ChatRow,
  listDisplayNames,
  listRosters,
  listTagsOfChats,
  listThreadsOfChats,
} from './queries.js'

/** These chats as the actor sees them, in the order given, with a fixed number of queries for all. */
export async function loadChats(
  ctx: Pick<Context, 'db' | 'config'>,
  actor: Pick<Actor, 'user_id'>,
  rows: readonly ChatRow[],
): Promise<Chat[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const others = rows.filter(({ kind }) => kind === 'personal').map((row) => otherSide(row, actor.user_id))
  const threads = rows.filter(({ kind }) => kind === 'thread').map(({ id }) => id)
  const details: ChatDetails = {
    meet_pattern: meetPattern(ctx.config),
    rosters: await listRosters(ctx.db, ids),
    tags: await listTagsOfChats(ctx.db, ids),
    threads: threads.length > 0 ? await listThreadsOfChats(ctx.db, threads) : new Map(),
    names: others.length > 0 ? await listDisplayNames(ctx.db, others) : new Map(),
  }
  return rows.map((row) => presentChat(details, row, actor.user_id))
}

export async function loadChat(
  ctx: Pick<Context, 'db' | 'config'>,
  actor: Pick<Actor, 'user_id'>,
  row: ChatRow,
): Promise<Chat> {
  const [chat] = await loadChats(ctx, actor, [row])
  return chat as Chat
}
