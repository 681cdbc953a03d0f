import * as api from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { noteIgnored } from '../platform/http/ignored.js'
import { type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { tagNames } from '../users/names.js'
import { deleteUser } from './delete.js'
import { countBelongings } from './deletion-queries.js'
import { editUser } from './edit.js'
import { inviteUser } from './invite.js'
import { changeOwnCard } from './own-profile.js'
import { secondFactorRoutes } from './second-factor-routes.js'
import { sessionRoutes } from './session-routes.js'

/** Tags in any other form than an array of names are ignored. */
function readTags<T extends { list_tags?: unknown }>(reply: FastifyReply, user: T) {
  const list_tags = tagNames(user.list_tags)
  if (user.list_tags !== undefined && !list_tags) noteIgnored(reply, 'list_tags')
  return { ...user, list_tags }
}

export function accountRoutes(routes: Routes) {
  route(routes, api.createUser, async ({ ctx, actor, body, reply }) => ({
    data: await inviteUser(ctx, actor, readTags(reply, body.user), !body.skip_email_notify),
  }))
  route(routes, api.updateUser, async ({ ctx, actor, params, body, reply }) => ({
    data: await editUser(ctx, actor, params.id, readTags(reply, body.user)),
  }))
  route(routes, api.deleteUser, ({ ctx, actor, params }) => deleteUser(ctx, actor, params.id))
  route(routes, api.previewUserDeletion, async ({ ctx, params }) => ({
    data: found(await countBelongings(ctx.db, params.id), { key: 'id', value: params.id }),
  }))
  route(routes, api.updateOwnProfile, async ({ ctx, actor, body }) => ({
    data: await changeOwnCard(ctx, actor, body.user),
  }))
  secondFactorRoutes(routes)
  sessionRoutes(routes)
}
