import * as api from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { clearAvatar, openAvatar, setAvatar } from './avatar.js'
import { Picture, receiveImage } from './receive-image.js'

export function avatarRoutes(routes: Routes) {
  const readRaw = async ({ raw }: FastifyRequest) => new Picture(await receiveImage(raw))
  const bytesOf = async ({ body, request }: { body: unknown; request: FastifyRequest }) =>
    (body instanceof Picture ? body : await readRaw(request)).bytes
  const raw = { rawBody: true, readRaw }
  route(
    routes,
    api.setOwnAvatar,
    async (call) => {
      const { ctx, actor } = call
      return { data: await setAvatar(ctx, actor, actor.user_id, () => bytesOf(call)) }
    },
    raw,
  )
  route(
    routes,
    api.setUserAvatar,
    async (call) => {
      const { ctx, actor, params } = call
      return { data: await setAvatar(ctx, actor, params.user_id, () => bytesOf(call)) }
    },
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
