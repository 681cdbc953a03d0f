import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { makeToken, revokeToken, showRequests, showTokens } from './tokens.js'

export function scimTokenRoutes(routes: Routes) {
  route(routes, api.listScimTokens, async ({ ctx }) => ({ data: await showTokens(ctx) }))
  route(routes, api.createScimToken, async ({ ctx, actor, body }) => ({
    data: await makeToken(ctx, actor, body.name),
  }))
  route(routes, api.deleteScimToken, ({ ctx, actor, params }) => revokeToken(ctx, actor, params.id))
  route(routes, api.listScimRequests, async ({ ctx }) => ({ data: await showRequests(ctx) }))
}
