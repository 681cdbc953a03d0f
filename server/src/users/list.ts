import { listUsers, type QueryOf } from '@parley/contract'
import { type Actor, isAdmin } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { runSearch } from '../platform/db/searches.js'
import { type Paging, pageResult, readPaging } from '../platform/http/page.js'
import { loadUsers } from './present.js'
import { countMatchesFor, listMatchIdsFor, listUserIdsFor } from './queries.js'

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
  const rows = await listUserIdsFor(ctx.db, actor, paging)
  const { data, meta } = pageResult(rows, paging, ({ id }) => ({ id }))
  return { data: await loadUsers(ctx, actor, idsOf(data)), meta }
}

async function searchPeople(ctx: Context, actor: Actor, text: string, paging: Paging) {
  const match = { text, contacts: await seesContacts(ctx, actor) }
  const { rows, total } = await runSearch(ctx, async (db) => ({
    rows: await listMatchIdsFor(db, actor, match, paging),
    total: await countMatchesFor(db, actor, match),
  }))
  const { data, meta } = pageResult(rows, paging, ({ id }) => ({ id }))
  const paginate = { next_page: meta.paginate.next_page }
  return { data: await loadUsers(ctx, actor, idsOf(data)), meta: { total, paginate } }
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}

/** Mail and phone of others are searched only for those who may read them. */
async function seesContacts(ctx: Context, actor: Actor): Promise<boolean> {
  if (isAdmin(actor)) return true
  if (actor.role === 'multi_guest') return false
  const workspace = await ctx.db.selectFrom('workspace').select('show_personal_data').executeTakeFirst()
  return workspace?.show_personal_data ?? false
}
