import {
  acceptInvite,
  changeOwnPassword,
  getInvite,
  getInviteLink,
  getSession,
  resendInvite,
  signIn,
  signOut,
} from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { acceptInvitation, inviteAgain, showInvite, showInviteLink } from './accept-invite.js'
import { callerOf, changePassword, closeSession, describeSession, signInWithPassword } from './sessions.js'

export function sessionRoutes(api: Api) {
  route(api, signIn, async ({ ctx, body, request }) => ({
    data: await signInWithPassword(ctx, callerOf(request), body),
  }))
  route(api, getSession, async ({ ctx, actor }) => ({ data: await describeSession(ctx, actor) }))
  route(api, signOut, ({ ctx, actor }) => closeSession(ctx, actor))
  route(api, changeOwnPassword, ({ ctx, actor, body }) => changePassword(ctx, actor, body))
  route(api, getInvite, async ({ ctx, params }) => ({ data: await showInvite(ctx, params.token) }))
  route(api, acceptInvite, async ({ ctx, params, body, request }) => ({
    data: await acceptInvitation(ctx, callerOf(request), params.token, body),
  }))
  route(api, getInviteLink, async ({ ctx, params }) => ({ data: await showInviteLink(ctx, params.id) }))
  route(api, resendInvite, async ({ ctx, params }) => ({ data: await inviteAgain(ctx, params.id) }))
}
