import type { searchMessages as operation, QueryOf } from '@parley/contract'
import { withFiles } from '../messages/message-sql.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { runSearch } from '../platform/db/searches.js'
import { findMessages } from './find-messages.js'
import type { KeptMatches } from './kept-matches.js'
import { readMessages } from './message-queries.js'
import { pageMeta, readPlace, readSpan, recordSearch } from './read.js'
import { readWanted } from './wanted-queries.js'

type Query = QueryOf<typeof operation>

/** Finds a page of messages, and reads it where that was not done on the way. */
export async function findPage(
  ctx: Context,
  actor: Actor,
  query: Query,
  { gone, kept }: { gone?: AbortSignal; kept?: KeptMatches } = {},
) {
  const { sort = 'created_at', order = 'desc' } = query
  const paging = readPlace(ctx, query, { list: 'searchMessages', sort, order, limit: 200 })
  const filter = { ...query, span: readSpan(query) }
  const { app_url } = ctx.config
  const search = async (db: Db) => {
    const wanted = await readWanted(db, actor, query.query)
    const found = await findMessages(db, actor, { wanted, filter, paging, app_url, kept })
    const { ids, messages } = found
    const isRead = messages?.ids.join() === ids.join()
    return { paging, found, page: isRead ? messages : await readMessages(db, actor, ids, app_url) }
  }
  return runSearch(ctx, search, gone)
}

/** The page of results as JSON text: messages come as text from the database and go on as they are. */
export async function searchMessages(
  ctx: Context,
  actor: Actor,
  query: Query,
  more: { gone: AbortSignal; kept: KeptMatches },
): Promise<string> {
  const { paging, found, page } = await findPage(ctx, actor, query, more)
  await recordSearch(ctx, actor, 'messages', query, page.ids.length)
  const { json } = await withFiles(ctx, page.json, page.files)
  return `{"data":[${json}],"meta":${JSON.stringify(pageMeta(paging, found))}}`
}
