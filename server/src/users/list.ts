import { listUsers, type QueryOf } from '@parley/contract'
import { readWorkspace } from '../company/queries.js'
import { type Actor, isAdmin } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { runSearch } from '../platform/db/searches.js'
import { loadPage, type Paging, pageText, readPaging } from '../platform/http/page.js'
import { ReadyJson } from '../platform/http/route.js'
import { COUNTED_AT_MOST, totalOf } from '../platform/http/search-total.js'
import { listUserTextsFor } from './card-queries.js'
import { loadUsers, viewerOf, withStatus } from './present.js'
import { countMatchesFor, listMatchIdsFor } from './queries.js'

type Query = QueryOf<typeof listUsers>

/** Everybody the actor sees, oldest first; with `query` those it fits, counted as a search counts. */
export function listPeople(ctx: Context, actor: Actor, query: Query) {
  const paging = readPaging(query, {
    list: listUsers.id,
    secret: ctx.secret,
    limit: 50,
    order: 'asc',
    per: 50,
  })
  const text = query.query?.trim()
  return text ? searchPeople(ctx, actor, text, paging) : allPeople(ctx, actor, paging)
}

async function allPeople(ctx: Context, actor: Actor, paging: Paging) {
  const { data, meta } = await loadPage(
    paging,
    (part) => listUserTextsFor(ctx.db, actor, viewerOf(actor), ctx.config.public_url, part),
    ({ id }) => ({ id }),
  )
  return new ReadyJson(withStatus(pageText(data, meta), now(ctx.clock)))
}

async function searchPeople(ctx: Context, actor: Actor, text: string, paging: Paging) {
  const match = { text, contacts: await seesContacts(ctx, actor) }
  const { data, meta, found } = await runSearch(ctx, async (db) => {
    const found = await countMatchesFor(db, actor, match)
    const common = found > COUNTED_AT_MOST
    const list = (part: Paging) => listMatchIdsFor(db, actor, match, { common, paging: part })
    return { ...(await loadPage(paging, list, ({ id }) => ({ id }))), found }
  })
  return { data: await loadUsers(ctx, actor, idsOf(data)), meta: { ...totalOf(found), ...meta } }
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}

/** Mail and phone of others are searched only for those who may read them. */
async function seesContacts(ctx: Context, actor: Actor): Promise<boolean> {
  if (isAdmin(actor)) return true
  if (actor.role === 'multi_guest') return false
  return (await readWorkspace(ctx.db)).show_personal_data
}
