import {
  createPersonalToken,
  deletePersonalToken,
  listPersonalTokens,
  listWorkspaceTokens,
  revokeWorkspaceToken,
  updatePersonalToken,
  type WorkspaceToken,
} from '@parley/contract'
import { now } from '../platform/clock.js'
import { type PageQuery, pageResult, readPaging } from '../platform/http/page.js'
import { type Api, route } from '../platform/http/route.js'
import {
  editPersonalToken,
  issuePersonalToken,
  revokeAnyToken,
  revokePersonalToken,
} from './personal-tokens.js'
import { presentToken } from './present.js'
import { listPersonalTokensOf, listTokens } from './queries.js'

export function tokenRoutes(api: Api) {
  const pagingOf = (list: string, query: PageQuery) =>
    readPaging(query, { list, secret: api.ctx.secret, limit: 50 })

  route(api, listPersonalTokens, async ({ ctx, actor, query }) => {
    const paging = pagingOf(listPersonalTokens.id, query)
    const rows = await listPersonalTokensOf(ctx.db, actor.user_id, paging)
    const { data, meta } = pageResult(rows, paging, ({ id }) => ({ id }))
    return { data: data.map(presentToken), meta }
  })
  route(api, createPersonalToken, async ({ ctx, actor, body }) => ({
    data: await issuePersonalToken(ctx, actor, body),
  }))
  route(api, updatePersonalToken, async ({ ctx, actor, params, body }) => ({
    data: await editPersonalToken(ctx, actor, params.id, body),
  }))
  route(api, deletePersonalToken, ({ ctx, actor, params }) => revokePersonalToken(ctx, actor, params.id))
  route(api, listWorkspaceTokens, async ({ ctx, query }) => {
    const paging = pagingOf(listWorkspaceTokens.id, query)
    const rows = await listTokens(ctx.db, now(ctx.clock), query.user_id, paging)
    const { data, meta } = pageResult(rows, paging, ({ id }) => ({ id }))
    return {
      data: data.map((row) => ({ ...presentToken(row), kind: row.kind as WorkspaceToken['kind'] })),
      meta,
    }
  })
  route(api, revokeWorkspaceToken, ({ ctx, actor, params }) => revokeAnyToken(ctx, actor, params.id))
}
