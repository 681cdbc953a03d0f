import * as api from '@parley/contract'
import type { FastifyReply } from 'fastify'
import type { Context } from '../platform/context.js'
import { type Routes, route } from '../platform/http/route.js'
import { clearSessionCookie, setSessionCookie } from '../platform/http/session-cookie.js'
import { acceptInvite, resendInvite, showInvite, showInviteLink } from './accept-invite.js'
import { endOtherSessions, endSession, listSessions } from './own-sessions.js'
import { requestPasswordReset, resetPassword, showReset } from './reset-password.js'
import {
  callerOf,
  changePassword,
  closeSession,
  loadSession,
  type OpenedSession,
  signInWithPassword,
} from './sessions.js'

/** The session as it was asked for: the token in the body, or in a cookie alone. */
function handOver(ctx: Context, reply: FastifyReply, session: OpenedSession, cookie?: boolean) {
  if (!cookie) return { data: session as api.NewSession }
  const { token, ...data } = session
  setSessionCookie(ctx, reply, token)
  return { data }
}

export function sessionRoutes(routes: Routes) {
  route(routes, api.signIn, async ({ ctx, body, request, reply }) => {
    const session = await signInWithPassword(ctx, callerOf(request), body)
    return handOver(ctx, reply, session, body.cookie)
  })
  route(routes, api.getSession, async ({ ctx, actor }) => {
    const session = await loadSession(ctx, actor)
    return { data: session }
  })
  route(routes, api.signOut, async ({ ctx, actor, reply }) => {
    await closeSession(ctx, actor)
    clearSessionCookie(ctx, reply)
  })
  route(routes, api.changeOwnPassword, ({ ctx, actor, body }) => changePassword(ctx, actor, body))
  ownSessionRoutes(routes)
  resetRoutes(routes)
  inviteRoutes(routes)
}

function ownSessionRoutes(routes: Routes) {
  route(routes, api.listOwnSessions, ({ ctx, actor, query }) =>
    listSessions(ctx, actor, api.listOwnSessions.id, query),
  )
  route(routes, api.endOwnSession, async ({ ctx, actor, params, reply }) => {
    await endSession(ctx, actor, params.id)
    if (params.id === actor.token_id) clearSessionCookie(ctx, reply)
  })
  route(routes, api.endOtherSessions, ({ ctx, actor }) => endOtherSessions(ctx, actor))
}

function resetRoutes(routes: Routes) {
  route(routes, api.requestPasswordReset, ({ ctx, body }) => requestPasswordReset(ctx, body.email))
  route(routes, api.getPasswordReset, async ({ ctx, params }) => ({
    data: await showReset(ctx, params.token),
  }))
  route(routes, api.resetPassword, async ({ ctx, params, body, request, reply }) => {
    const session = await resetPassword(ctx, callerOf(request), params.token, body.password)
    return handOver(ctx, reply, session, body.cookie)
  })
}

function inviteRoutes(routes: Routes) {
  route(routes, api.getInvite, async ({ ctx, params }) => ({ data: await showInvite(ctx, params.token) }))
  route(routes, api.acceptInvite, async ({ ctx, params, body, request, reply }) => {
    const session = await acceptInvite(ctx, callerOf(request), params.token, body)
    return handOver(ctx, reply, session, body.cookie)
  })
  route(routes, api.getInviteLink, async ({ ctx, params }) => ({
    data: await showInviteLink(ctx, params.id),
  }))
  route(routes, api.resendInvite, async ({ ctx, actor, params }) => ({
    data: await resendInvite(ctx, actor, params.id),
  }))
}
