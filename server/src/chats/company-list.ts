import { listCompanyChats, type QueryOf } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { pageResult, readPaging } from '../platform/http/page.js'
import { listGroupRows } from './list.js'
import { loadChats } from './load.js'

/** Every conversation and channel of the workspace; that the owner looked is written down. */
export async function listChatsOfCompany(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listCompanyChats>,
) {
  const paging = readPaging(query, { list: listCompanyChats.id, secret: ctx.secret, limit: 50 })
  const rows = await listGroupRows(ctx.db, query.activity, paging)
  const about = { event_key: 'company_chats_accessed', entity_type: 'User', entity_id: actor.user_id }
  await transaction(ctx, (tx) => record(tx, ctx, actor, about))
  const { data, meta } = pageResult(rows, paging, ({ id }) => ({ id }))
  return { data: await loadChats(ctx, actor, data), meta }
}
