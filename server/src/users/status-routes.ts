import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { changeStatus, clearStatus, readStatus } from './status.js'

export function statusRoutes(routes: Routes) {
  route(routes, api.getOwnStatus, ({ ctx, actor }) => readStatus(ctx, actor, actor.user_id))
  route(routes, api.setOwnStatus, async ({ ctx, actor, body }) => ({
    data: await changeStatus(ctx, actor, actor.user_id, body.status),
  }))
  route(routes, api.deleteOwnStatus, ({ ctx, actor }) => clearStatus(ctx, actor, actor.user_id))
  route(routes, api.getUserStatus, ({ ctx, actor, params }) => readStatus(ctx, actor, params.user_id))
  route(routes, api.setUserStatus, async ({ ctx, actor, params, body }) => ({
    data: await changeStatus(ctx, actor, params.user_id, body.status),
  }))
  route(routes, api.deleteUserStatus, ({ ctx, actor, params }) => clearStatus(ctx, actor, params.user_id))
}
