import { createUser, deleteUser, getProfile, getUser, listUsers, updateUser } from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { noteIgnored } from '../platform/http/ignored.js'
import { type Api, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { avatarRoutes } from './avatar-routes.js'
import { deleteUserForGood } from './delete.js'
import { editUser } from './edit.js'
import { inviteUser } from './invite.js'
import { listPeople } from './list.js'
import { tagNames } from './names.js'
import { noticeRoutes } from './notice-routes.js'
import { loadUsers } from './present.js'
import { findUserFor } from './queries.js'
import { sessionRoutes } from './session-routes.js'
import { statusRoutes } from './status-routes.js'

/** Tags in any other form than an array of names are left aside. */
function readTags<T extends { list_tags?: unknown }>(reply: FastifyReply, user: T) {
  const list_tags = tagNames(user.list_tags)
  if (user.list_tags !== undefined && !list_tags) noteIgnored(reply, 'list_tags')
  return { ...user, list_tags }
}

export function userRoutes(api: Api) {
  route(api, listUsers, ({ ctx, actor, query }) => listPeople(ctx, actor, query))
  route(api, getUser, async ({ ctx, actor, params }) => {
    const { id } = found(await findUserFor(ctx.db, actor, params.id), { key: 'id', value: params.id })
    const [data] = await loadUsers(ctx, actor, [id])
    return { data: found(data) }
  })
  route(api, createUser, async ({ ctx, actor, body, reply }) => ({
    data: await inviteUser(ctx, actor, readTags(reply, body.user), !body.skip_email_notify),
  }))
  route(api, updateUser, async ({ ctx, actor, params, body, reply }) => ({
    data: await editUser(ctx, actor, params.id, readTags(reply, body.user)),
  }))
  route(api, deleteUser, ({ ctx, actor, params }) => deleteUserForGood(ctx, actor, params.id))
  route(api, getProfile, async ({ ctx, actor }) => {
    const [data] = await loadUsers(ctx, actor, [actor.user_id])
    return { data: found(data) }
  })
  sessionRoutes(api)
  statusRoutes(api)
  avatarRoutes(api)
  noticeRoutes(api)
}
