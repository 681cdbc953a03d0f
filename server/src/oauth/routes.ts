import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { presentToken } from './present.js'
import { findToken } from './queries.js'
import { tokenRoutes } from './token-routes.js'

export function oauthRoutes(routes: Routes) {
  route(routes, api.getTokenInfo, async ({ ctx, actor }) => ({
    data: presentToken(found(await findToken(ctx.db, actor.token_id as number))),
  }))
  tokenRoutes(routes)
}
