import { deleteOwnAvatar, deleteUserAvatar, getAvatar, setOwnAvatar, setUserAvatar } from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { clearAvatar, openAvatar, setAvatar } from './avatar.js'

export function avatarRoutes(api: Api) {
  const raw = { rawBody: true }
  route(
    api,
    setOwnAvatar,
    async ({ ctx, actor, request }) => ({ data: await setAvatar(ctx, actor, actor.user_id, request.raw) }),
    raw,
  )
  route(
    api,
    setUserAvatar,
    async ({ ctx, actor, params, request }) => ({
      data: await setAvatar(ctx, actor, params.user_id, request.raw),
    }),
    raw,
  )
  route(api, deleteOwnAvatar, ({ ctx, actor }) => clearAvatar(ctx, actor, actor.user_id))
  route(api, deleteUserAvatar, ({ ctx, actor, params }) => clearAvatar(ctx, actor, params.user_id))
  route(api, getAvatar, async ({ ctx, params, reply }) => {
    const { type, body } = found(await openAvatar(ctx, params.name), { key: 'name' })
    reply.type(type)
    reply.header('Cache-Control', 'public, max-age=31536000, immutable')
    reply.header('X-Content-Type-Options', 'nosniff')
    reply.header('Content-Security-Policy', "sandbox; default-src 'none'")
    await reply.send(body)
  })
}
