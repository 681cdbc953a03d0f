import {
  deleteOwnStatus,
  deleteUserStatus,
  getOwnStatus,
  getUserStatus,
  setOwnStatus,
  setUserStatus,
} from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { changeStatus, clearStatus, readStatus } from './status.js'

export function statusRoutes(api: Api) {
  route(api, getOwnStatus, ({ ctx, actor }) => readStatus(ctx, actor, actor.user_id))
  route(api, setOwnStatus, async ({ ctx, actor, body }) => ({
    data: await changeStatus(ctx, actor, actor.user_id, body.status),
  }))
  route(api, deleteOwnStatus, ({ ctx, actor }) => clearStatus(ctx, actor, actor.user_id))
  route(api, getUserStatus, ({ ctx, actor, params }) => readStatus(ctx, actor, params.user_id))
  route(api, setUserStatus, async ({ ctx, actor, params, body }) => ({
    data: await changeStatus(ctx, actor, params.user_id, body.status),
  }))
  route(api, deleteUserStatus, ({ ctx, actor, params }) => clearStatus(ctx, actor, params.user_id))
}
