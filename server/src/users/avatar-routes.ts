import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { clearAvatar, openAvatar, setAvatar } from './avatar.js'

export function avatarRoutes(routes: Routes) {
  const raw = { rawBody: true }
  route(
    routes,
    api.setOwnAvatar,
    async ({ ctx, actor, request }) => ({ data: await setAvatar(ctx, actor, actor.user_id, request.raw) }),
    raw,
  )
  route(
    routes,
    api.setUserAvatar,
    async ({ ctx, actor, params, request }) => ({
      data: await setAvatar(ctx, actor, params.user_id, request.raw),
    }),
    raw,
  )
  route(routes, api.deleteOwnAvatar, ({ ctx, actor }) => clearAvatar(ctx, actor, actor.user_id))
  route(routes, api.deleteUserAvatar, ({ ctx, actor, params }) => clearAvatar(ctx, actor, params.user_id))
  route(routes, api.getAvatar, async ({ ctx, params, reply }) => {
    const { type, body } = found(await openAvatar(ctx, params.name), { key: 'name' })
    reply.type(type)
    reply.header('Cache-Control', 'public, max-age=31536000, immutable')
    reply.header('X-Content-Type-Options', 'nosniff')
    reply.header('Content-Security-Policy', "sandbox; default-src 'none'")
    await reply.send(body)
  })
}
