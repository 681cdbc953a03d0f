import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { avatarRoutes } from './avatar-routes.js'
import { listPeople } from './list.js'
import { noticeRoutes } from './notice-routes.js'
import { readPreferences, replacePreferences } from './preferences.js'
import { loadUserFor, loadUsers } from './present.js'
import { statusRoutes } from './status-routes.js'

export function userRoutes(routes: Routes) {
  route(routes, api.listUsers, ({ ctx, actor, query }) => listPeople(ctx, actor, query))
  route(routes, api.getUser, async ({ ctx, actor, params }) => {
    return { data: found(await loadUserFor(ctx, actor, params.id), { key: 'id', value: params.id }) }
  })
  route(routes, api.getProfile, async ({ ctx, actor }) => {
    const [data] = await loadUsers(ctx, actor, [actor.user_id])
    return { data: found(data) }
  })
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
