import { listCompanyChats, type QueryOf } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { loadPage, pageText, readPaging } from '../platform/http/page.js'
import { ReadyJson } from '../platform/http/route.js'
import { listGroupTexts } from './list-queries.js'
import { meetPattern } from './meet.js'

/** Every conversation and channel of the workspace; that the owner looked is written down. */
export async function listChatsOfCompany(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listCompanyChats>,
) {
  const paging = readPaging(query, { list: listCompanyChats.id, secret: ctx.secret, limit: 50 })
  const viewer = { user_id: actor.user_id, meet: meetPattern(ctx.config) }
  const { data, meta } = await loadPage(
    paging,
    (part) => listGroupTexts(ctx.db, viewer, query, part),
    ({ id }) => ({ id }),
  )
  const about = { event_key: 'company_chats_accessed', entity_type: 'User', entity_id: actor.user_id }
  await transaction(ctx, (tx) => record(tx, ctx, actor, about))
  return new ReadyJson(pageText(data, meta))
}
