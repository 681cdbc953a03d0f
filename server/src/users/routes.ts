import { getPreferences, getProfile, getUser, listUsers, setPreferences } from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { avatarRoutes } from './avatar-routes.js'
import { listPeople } from './list.js'
import { noticeRoutes } from './notice-routes.js'
import { readPreferences, replacePreferences } from './preferences.js'
import { loadUsers } from './present.js'
import { findUserFor } from './queries.js'
import { statusRoutes } from './status-routes.js'

export function userRoutes(api: Api) {
  route(api, listUsers, ({ ctx, actor, query }) => listPeople(ctx, actor, query))
  route(api, getUser, async ({ ctx, actor, params }) => {
    const { id } = found(await findUserFor(ctx.db, actor, params.id), { key: 'id', value: params.id })
    const [data] = await loadUsers(ctx, actor, [id])
    return { data: found(data) }
  })
  route(api, getProfile, async ({ ctx, actor }) => {
    const [data] = await loadUsers(ctx, actor, [actor.user_id])
    return { data: found(data) }
  })
  route(api, getPreferences, async ({ ctx, actor }) => ({ data: await readPreferences(ctx, actor.user_id) }))
  route(api, setPreferences, async ({ ctx, actor, body }) => ({
    data: await replacePreferences(ctx, actor, body.preferences),
  }))
  statusRoutes(api)
  avatarRoutes(api)
  noticeRoutes(api)
}
