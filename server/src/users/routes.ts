import * as api from '@parley/contract'
import { ReadyJson, type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { avatarRoutes } from './avatar-routes.js'
import { listPeople } from './list.js'
import { noticeRoutes } from './notice-routes.js'
import { readPreferences, replacePreferences } from './preferences.js'
import { createCardReader } from './read-card.js'
import { statusRoutes } from './status-routes.js'

export function userRoutes(routes: Routes) {
  const cards = createCardReader(routes.ctx)
  route(routes, api.listUsers, ({ ctx, actor, query }) => listPeople(ctx, actor, query), { reads: true })
  route(routes, api.getUser, async ({ ctx, actor, params }) => {
    const reader = ctx.confined ? createCardReader(ctx) : cards
    const card = found(await reader.read(actor, params.id), { key: 'id', value: params.id })
    return new ReadyJson(`{"data":${card}}`)
  })
  route(
    routes,
    api.getProfile,
    async ({ ctx, actor }) => {
      const reader = ctx.confined ? createCardReader(ctx) : cards
      return new ReadyJson(`{"data":${found(await reader.read(actor, actor.user_id))}}`)
    },
    { reads: true },
  )
  route(routes, api.getPreferences, async ({ ctx, actor }) => ({
    data: await readPreferences(ctx, actor.user_id),
  }))
  route(routes, api.setPreferences, async ({ ctx, actor, body }) => ({
    data: await replacePreferences(ctx, actor, body.preferences),
  }))
  statusRoutes(routes)
  avatarRoutes(routes)
  noticeRoutes(routes)
}
