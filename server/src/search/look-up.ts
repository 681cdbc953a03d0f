import type { ChatCommand, ChatMatch, listPeople, PersonCard, QueryOf } from '@parley/contract'
import { findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { ensure, found } from '../platform/problem.js'
import { listTagsByPrefixFor } from '../tags/queries.js'
import { loadPeople } from '../users/person-cards.js'
import { listChatMatchesFor, listCommands, listPeopleByPrefixFor, listSeenIds } from './look-up-queries.js'

const AT_MOST = 50

/** Patterns that a text must fit all of: each word typed begins a word of it. */
function prefixesIn(query = ''): string[] {
  const words = query
    .toLowerCase()
    .split(/[\s._@-]+/)
    .filter(Boolean)
  return words.map((word) => `% ${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
}

async function readableChat(ctx: Context, actor: Actor, key: string, chatId: number) {
  const chat = found(await findChatFor(ctx.db, actor, chatId), { key, value: chatId })
  ensure(mayRead(actor, chat), 'read', { type: 'Chat', id: chat.id })
  return chat
}

async function inOrder(ctx: Context, ids: readonly number[]): Promise<PersonCard[]> {
  const cards = new Map((await loadPeople(ctx, ids)).map((card) => [card.id, card]))
  return [...new Set(ids)].flatMap((id) => cards.get(id) ?? [])
}

/** Cards by id, or of those whose names begin as typed. */
export async function lookUpPeople(ctx: Context, actor: Actor, query: QueryOf<typeof listPeople>) {
  if (query.ids) {
    const seen = await listSeenIds(ctx.db, actor, query.ids)
    return inOrder(
      ctx,
      query.ids.filter((id) => seen.has(id)),
    )
  }
  const chat = query.chat_id === undefined ? null : await readableChat(ctx, actor, 'chat_id', query.chat_id)
  const place = chat ? [chat.id, chat.parent_chat_id ?? chat.id] : []
  const limit = query.limit ?? AT_MOST
  return inOrder(ctx, await listPeopleByPrefixFor(ctx.db, actor, prefixesIn(query.query), place, limit))
}

interface LookUp {
  query?: string
  limit?: number
}

export function lookUpChats(
  ctx: Context,
  actor: Actor,
  { query, limit = AT_MOST }: LookUp,
): Promise<ChatMatch[]> {
  return listChatMatchesFor(ctx.db, actor, prefixesIn(query), limit)
}

export function lookUpGroupTags(ctx: Context, actor: Actor, { query, limit = AT_MOST }: LookUp) {
  return listTagsByPrefixFor(ctx.db, actor, prefixesIn(query), limit)
}

/** What can be typed in this chat: commands of its bots, and of a thread those of the chat it hangs in. */
export async function commandsIn(
  ctx: Context,
  actor: Actor,
  chatId: number,
): Promise<{ data: ChatCommand[]; people: PersonCard[] }> {
  const chat = await readableChat(ctx, actor, 'id', chatId)
  const data = await listCommands(ctx.db, [chat.id, chat.parent_chat_id ?? chat.id])
  return {
    data,
    people: await loadPeople(
      ctx,
      data.map(({ bot_id }) => bot_id),
    ),
  }
}
