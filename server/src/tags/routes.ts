import * as api from '@parley/contract'
import { countText } from '../platform/http/fault-text.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { found, Problem } from '../platform/problem.js'
import { loadUsers } from '../users/present.js'
import { createTag, deleteTag, renameTag } from './actions.js'
import { findTagFor, listTagRowsFor, listTagUserIds } from './queries.js'

const NAMES_AT_MOST = 100

/** `names[]=a&names[]=b`, or `names=a,b`; a name with a comma in it needs the brackets. */
function namesOf(names: readonly string[] | undefined, url: string): string[] | null {
  if (!names) return null
  const single = !/[?&]names(\[\]|%5B%5D)=/i.test(url)
  const list = single ? names.flatMap((name) => name.split(',')) : [...names]
  if (list.length > NAMES_AT_MOST)
    throw new Problem(400, 'too_long', { key: 'names', message: countText(NAMES_AT_MOST, list.length) })
  return list
}

/** Also reads the name alone, without `group_tag` around it. */
function reshapeTag(body: unknown, note: (name: string) => void): unknown {
  const { group_tag, name } = body as { group_tag?: unknown; name?: unknown }
  if (group_tag !== undefined || name === undefined) return body
  note('group_tag')
  return { group_tag: { name } }
}

export function tagRoutes(routes: Routes) {
  route(routes, api.listGroupTags, async ({ ctx, actor, query, request }) => {
    const names = namesOf(query.names, request.url)
    const settings = {
      list: api.listGroupTags.id,
      secret: ctx.secret,
      limit: 50,
      order: 'asc',
      per: 25,
    } as const
    const paging = readPaging(query, settings)
    return loadPage(
      paging,
      (part) => listTagRowsFor(ctx.db, actor, names, part),
      ({ id }) => ({ id }),
    )
  })
  const bare = { reshape: reshapeTag }
  route(
    routes,
    api.createGroupTag,
    async ({ ctx, actor, body }) => ({ data: await createTag(ctx, actor, body.group_tag.name) }),
    bare,
  )
  route(routes, api.getGroupTag, async ({ ctx, actor, params }) => ({
    data: found(await findTagFor(ctx.db, actor, params.id), { key: 'id', value: params.id }),
  }))
  route(
    routes,
    api.updateGroupTag,
    async ({ ctx, actor, params, body }) => ({
      data: await renameTag(ctx, actor, params.id, body.group_tag.name),
    }),
    bare,
  )
  route(routes, api.deleteGroupTag, ({ ctx, actor, params }) => deleteTag(ctx, actor, params.id))
  route(routes, api.listGroupTagUsers, async ({ ctx, actor, params, query }) => {
    const { id } = found(await findTagFor(ctx.db, actor, params.id), { key: 'id', value: params.id })
    const settings = {
      list: api.listGroupTagUsers.id,
      secret: ctx.secret,
      limit: 50,
      order: 'asc',
      per: 25,
    } as const
    const paging = readPaging(query, settings)
    const { data, meta } = await loadPage(
      paging,
      (part) => listTagUserIds(ctx.db, id, part),
      (row) => ({
        id: row.id,
      }),
    )
    const ids = data.map((row) => row.id)
    return { data: await loadUsers(ctx, actor, ids), meta }
  })
}
