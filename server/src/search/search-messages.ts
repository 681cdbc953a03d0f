import type { searchMessages as operation, QueryOf, ResultOf } from '@parley/contract'
import { presentMessages } from '../messages/message-sql.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { searching } from './limits.js'
import { findMessages, readWanted } from './message-queries.js'
import { pageMeta, readPlace, readSpan, recordSearch } from './read.js'

type Query = QueryOf<typeof operation>
type Result = ResultOf<typeof operation>

export async function searchMessages(ctx: Context, actor: Actor, query: Query): Promise<Result> {
  const { sort = 'created_at', order = 'desc' } = query
  const paging = readPlace(ctx, query, { list: 'searchMessages', sort, order, limit: 200 })
  const span = readSpan(query)
  const { total, page } = await searching(ctx, async (tx) => {
    const wanted = await readWanted(tx, actor, query.query)
    const found = await findMessages(tx, actor, wanted, { ...query, span }, paging)
    await recordSearch(tx, ctx, actor, 'messages', query, found.page.length)
    return found
  })
  const data = await presentMessages(
    ctx,
    actor.user_id,
    page.map(({ id }) => id),
  )
  return { data, meta: pageMeta(ctx, paging, total, page.at(-1)) }
}
