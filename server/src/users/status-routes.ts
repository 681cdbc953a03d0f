import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { changeStatus, clearStatus, readStatus } from './status.js'

/** Also reads a status as it was given: there the away message is an object. */
function reshapeStatus(body: unknown, note: (name: string) => void): unknown {
  const { status } = body as { status?: { away_message?: { text?: unknown } | null } | null }
  const text = status?.away_message?.text
  if (typeof text !== 'string') return body
  note('status.away_message')
  return { status: { ...status, away_message: text } }
}

export function statusRoutes(routes: Routes) {
  const asGiven = { reshape: reshapeStatus }
  route(routes, api.getOwnStatus, ({ ctx, actor }) => readStatus(ctx, actor, actor.user_id))
  route(
    routes,
    api.setOwnStatus,
    async ({ ctx, actor, body }) => ({
      data: await changeStatus(ctx, actor, actor.user_id, body.status),
    }),
    asGiven,
  )
  route(routes, api.deleteOwnStatus, ({ ctx, actor }) => clearStatus(ctx, actor, actor.user_id))
  route(routes, api.getUserStatus, ({ ctx, actor, params }) => readStatus(ctx, actor, params.user_id))
  route(
    routes,
    api.setUserStatus,
    async ({ ctx, actor, params, body }) => ({
      data: await changeStatus(ctx, actor, params.user_id, body.status),
    }),
    asGiven,
  )
  route(routes, api.deleteUserStatus, ({ ctx, actor, params }) => clearStatus(ctx, actor, params.user_id))
}
