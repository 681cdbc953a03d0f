import * as api from '@parley/contract'
import { now } from '../platform/clock.js'
import { listApprovalsOf } from '../platform/http/approval-queries.js'
import { loadPage, type PageQuery, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { decideApproval, presentApproval } from './approvals.js'
import {
  editPersonalToken,
  issuePersonalToken,
  revokeAnyToken,
  revokePersonalToken,
} from './personal-tokens.js'
import { presentToken } from './present.js'
import { listPersonalTokensOf, listTokens } from './queries.js'

export function tokenRoutes(routes: Routes) {
  const pagingOf = (list: string, query: PageQuery) =>
    readPaging(query, { list, secret: routes.ctx.secret, limit: 50 })

  route(routes, api.listPersonalTokens, async ({ ctx, actor, query }) => {
    const paging = pagingOf(api.listPersonalTokens.id, query)
    const { data, meta } = await loadPage(
      paging,
      (part) => listPersonalTokensOf(ctx.db, actor.user_id, part),
      ({ id }) => ({ id }),
    )
    return { data: data.map(presentToken), meta }
  })
  route(routes, api.createPersonalToken, async ({ ctx, actor, body }) => ({
    data: await issuePersonalToken(ctx, actor, body),
  }))
  route(routes, api.updatePersonalToken, async ({ ctx, actor, params, body }) => ({
    data: await editPersonalToken(ctx, actor, params.id, body),
  }))
  route(routes, api.deletePersonalToken, ({ ctx, actor, params }) =>
    revokePersonalToken(ctx, actor, params.id),
  )
  route(routes, api.listWorkspaceTokens, async ({ ctx, query }) => {
    const paging = pagingOf(api.listWorkspaceTokens.id, query)
    const { data, meta } = await loadPage(
      paging,
      (part) => listTokens(ctx.db, now(ctx.clock), query.user_id, part),
      ({ id }) => ({ id }),
    )
    return {
      data: data.map((row) => ({ ...presentToken(row), kind: row.kind as api.WorkspaceToken['kind'] })),
      meta,
    }
  })
  route(routes, api.listApprovals, async ({ ctx, actor, query }) => {
    const paging = pagingOf(api.listApprovals.id, query)
    const { data, meta } = await loadPage(
      paging,
      (part) => listApprovalsOf(ctx.db, actor.user_id, part),
      ({ id }) => ({ id }),
    )
    return { data: data.map(presentApproval), meta }
  })
  route(routes, api.decideApproval, async ({ ctx, actor, params, body }) => ({
    data: await decideApproval(ctx, actor, params.id, body.approved),
  }))
  route(routes, api.revokeWorkspaceToken, ({ ctx, actor, params }) => revokeAnyToken(ctx, actor, params.id))
}
