import * as api from '@parley/contract'
import { mayReadRoster } from '../chats/member-rules.js'
import { findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import {
  loadPage,
  type PageQuery,
  type PageSettings,
  type Paging,
  readPaging,
} from '../platform/http/page.js'
import { ensure, found } from '../platform/problem.js'
import { listTagsByPrefixFor } from '../tags/queries.js'
import { loadPeople } from '../users/person-cards.js'
import { listChatMatchesFor } from './look-up-chat-queries.js'
import {
  findPrefixQuery,
  listCommands,
  listPeopleByPrefixFor,
  listRosterRows,
  listSeenIds,
  type Typed,
} from './look-up-queries.js'

const AT_MOST = 50

/** From so many letters on few words begin with a prefix. */
const RARE_LETTERS = 3

function wordsIn(query = ''): string[] {
  return query
    .toLowerCase()
    .split(/[\s._@-]+/)
    .filter(Boolean)
}

/** Patterns that a text must fit all of: each word typed begins a word of it. */
function prefixesIn(query?: string): string[] {
  return wordsIn(query).map((word) => `% ${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
}

/** What was typed, with what an index answers of it. */
async function readTyped(ctx: Context, query?: string): Promise<Typed> {
  const words = wordsIn(query)
  return {
    patterns: prefixesIn(query),
    words: words.length === 0 ? null : await findPrefixQuery(ctx.db, words),
    common: words.length > 0 && words.every((word) => word.length < RARE_LETTERS),
  }
}

async function readableChat(ctx: Context, actor: Actor, key: string, chatId: number) {
  const chat = found(await findChatFor(ctx.db, actor, chatId), { key, value: chatId })
  ensure(mayRead(actor, chat), 'read', { type: 'Chat', id: chat.id })
  return chat
}

async function inOrder(ctx: Context, ids: readonly number[]): Promise<api.PersonCard[]> {
  const cards = new Map((await loadPeople(ctx, ids)).map((card) => [card.id, card]))
  return [...new Set(ids)].flatMap((id) => cards.get(id) ?? [])
}

/** A page in the order of `rank`, which the rows bring. */
function rankedPage<T extends { id: number; rank: number | string }>(
  ctx: Context,
  query: PageQuery,
  order: Pick<PageSettings, 'list' | 'order'>,
  list: (paging: Paging) => Promise<T[]>,
) {
  const paging = readPaging(query, { ...order, secret: ctx.secret, limit: AT_MOST, sort: 'rank' })
  return loadPage(paging, list, ({ id, rank }) => ({ id, value: rank }))
}

/** Cards by id, or of those whose names begin as typed. */
export async function lookUpPeople(ctx: Context, actor: Actor, query: api.QueryOf<typeof api.listPeople>) {
  if (query.ids) {
    const seen = await listSeenIds(ctx.db, actor, query.ids)
    const asked = query.ids.filter((id) => seen.has(id))
    return { data: await inOrder(ctx, asked) }
  }
  const chat = query.chat_id === undefined ? null : await readableChat(ctx, actor, 'chat_id', query.chat_id)
  const chat_ids = chat ? [...new Set([chat.id, chat.parent_chat_id ?? chat.id])] : []
  const looked = { ...(await readTyped(ctx, query.query)), chat_ids }
  const { data, meta } = await rankedPage(ctx, query, { list: api.listPeople.id, order: 'asc' }, (part) =>
    listPeopleByPrefixFor(ctx.db, actor, looked, part),
  )
  const ids = data.map(({ id }) => id)
  return { data: await inOrder(ctx, ids), meta }
}

/** Who is in a chat, with the role of each. */
export async function rosterOf(
  ctx: Context,
  actor: Actor,
  chatId: number,
  query: api.QueryOf<typeof api.listRoster>,
) {
  const chat = found(await findChatFor(ctx.db, actor, chatId), { key: 'id', value: chatId })
  ensure(mayReadRoster(actor, chat), 'list_members', { type: 'Chat', id: chat.id })
  const { data, meta } = await rankedPage(ctx, query, { list: api.listRoster.id, order: 'asc' }, (part) =>
    listRosterRows(ctx.db, chat.id, prefixesIn(query.query), part),
  )
  const ids = data.map(({ id }) => id)
  const cards = new Map((await loadPeople(ctx, ids)).map((card) => [card.id, card]))
  return {
    data: data.flatMap(({ id, role }) => {
      const person = cards.get(id)
      return person ? [{ person, role }] : []
    }),
    meta,
  }
}

interface LookUp {
  query?: string
  limit?: number
}

export async function lookUpChats(ctx: Context, actor: Actor, query: api.QueryOf<typeof api.lookUpChats>) {
  const { open, archived } = query
  const looked = { ...(await readTyped(ctx, query.query)), open, archived }
  const { data, meta } = await rankedPage(ctx, query, { list: api.lookUpChats.id }, (part) =>
    listChatMatchesFor(ctx.db, actor, looked, part),
  )
  return { data: data.map(({ rank: _, ...match }) => match), meta }
}

export function lookUpGroupTags(ctx: Context, actor: Actor, { query, limit = AT_MOST }: LookUp) {
  return listTagsByPrefixFor(ctx.db, actor, prefixesIn(query), limit)
}

/** What can be typed in this chat: commands of its bots, and of a thread those of the chat it hangs in. */
export async function commandsIn(
  ctx: Context,
  actor: Actor,
  chatId: number,
): Promise<{ data: api.ChatCommand[]; people: api.PersonCard[] }> {
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
