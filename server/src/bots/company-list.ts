import * as api from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { presentCompanyBot } from './present.js'
import { listAllBots } from './queries.js'
import { accessOf } from './rules.js'

/** Every bot of the workspace; that the owner looked is written down. */
export async function listCompanyBots(
  ctx: Context,
  actor: Actor,
  query: api.QueryOf<typeof api.listCompanyBots>,
) {
  const paging = readPaging(query, { list: api.listCompanyBots.id, secret: ctx.secret, limit: 50 })
  const { data, meta } = await loadPage(
    paging,
    (part) => listAllBots(ctx.db, actor, query.query, part),
    (row) => ({ id: row.user_id }),
  )
  const about = { event_key: 'company_bots_accessed', entity_type: 'User', entity_id: actor.user_id }
  await transaction(ctx, (tx) => record(tx, ctx, actor, about))
  return { data: data.map((row) => presentCompanyBot(ctx, row, accessOf(actor, row))), meta }
}
