import type * as api from '@parley/contract'
import { loadChats } from '../chats/load.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { runSearch } from '../platform/db/searches.js'
import { loadUsers } from '../users/present.js'
import { listChatCandidates, listUserCandidates } from './name-queries.js'
import { pageOfRanked, rank } from './rank.js'
import { pageMeta, readPlace, readSpan, recordSearch } from './read.js'

type UsersQuery = api.QueryOf<typeof api.searchUsers>
type ChatsQuery = api.QueryOf<typeof api.searchChats>

/** People by name, with typos forgiven; those who are suspended come last. */
export async function searchUsers(
  ctx: Context,
  actor: Actor,
  query: UsersQuery,
  gone: AbortSignal,
): Promise<api.ResultOf<typeof api.searchUsers>> {
  const { sort = 'by_score' } = query
  const order = query.order ?? (sort === 'alphabetical' ? 'asc' : 'desc')
  const paging = readPlace(ctx, query, { list: 'searchUsers', sort, order, limit: 200 })
  const span = readSpan(query)
  const { words, rows } = await runSearch(ctx, (db) => listUserCandidates(db, actor, query, span), gone)
  const ranked = rank(words, rows, ({ suspended }) => suspended)
  const page = pageOfRanked(ranked, paging)
  await recordSearch(ctx, actor, 'users', query, page.ids.length)
  const data = await loadUsers(ctx, actor, page.ids)
  return { data, meta: pageMeta(paging, page) }
}

/** Chats by name, with typos forgiven. */
export async function searchChats(
  ctx: Context,
  actor: Actor,
  query: ChatsQuery,
  gone: AbortSignal,
): Promise<api.ResultOf<typeof api.searchChats>> {
  const { order = 'desc' } = query
  const paging = readPlace(ctx, query, { list: 'searchChats', sort: 'by_score', order, limit: 100 })
  const span = readSpan(query)
  const { words, rows } = await runSearch(ctx, (db) => listChatCandidates(db, actor, query, span), gone)
  const ranked = rank(words, rows, () => false)
  const page = pageOfRanked(ranked, paging)
  await recordSearch(ctx, actor, 'chats', query, page.ids.length)
  const data = await loadChats(ctx, actor, page.ids)
  return { data, meta: pageMeta(paging, page) }
}
