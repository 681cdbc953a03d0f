import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, closeSession, signInWithPassword } from '../accounts/sessions.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import {
  clearSessionCookie,
  cookieOf,
  sessionCookieOf,
  setCookie,
  setSessionCookie,
} from '../platform/http/session-cookie.js'
import { OAuthProblem } from '../platform/problem.js'

const FORM = 'parley_form'
const FORM_S = 3600

function setFormCookie(ctx: Context, reply: FastifyReply, value: string) {
  const path = `${new URL(ctx.config.app_url).pathname.replace(/\/$/, '')}/apps/authorize`
  setCookie(ctx, reply, { name: FORM, value, path, lifetime_s: FORM_S })
}

/** Who is signed in with this browser, here or in the client; undefined for nobody. Throws for a guest and for somebody suspended. */
export async function sessionOf(ctx: Context, request: FastifyRequest): Promise<Actor | undefined> {
  const value = sessionCookieOf(request)
  if (!value) return undefined
  try {
    const { actor, unprotected } = await ctx.admission.identify(
      value,
      request.ip,
      callerOf(request).user_agent,
    )
    return actor.token_kind === 'session' && !unprotected ? actor : undefined
  } catch (error) {
    if (error instanceof OAuthProblem) return undefined
    throw error
  }
}

function formToken(ctx: Context, cookie: string): string {
  return createHmac('sha256', ctx.secret).update('form').update(cookie).digest('base64url')
}

/** What a form carries to show that this browser was given it; the cookie it answers to is set where it is missing. */
export function formTokenFor(ctx: Context, request: FastifyRequest, reply: FastifyReply): string {
  const known = cookieOf(request, FORM)
  const cookie = known && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url')
  if (cookie !== known) setFormCookie(ctx, reply, cookie)
  return formToken(ctx, cookie)
}

/** Whether a posted form came from one of our own pages in this browser. */
export function isOwnForm(ctx: Context, request: FastifyRequest, given: string | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const known = Buffer.from(formToken(ctx, cookieOf(request, FORM) ?? ''))
  const token = Buffer.from(given ?? '')
  return known.length === token.length && timingSafeEqual(known, token)
}

/** Signs in by mail and password. */
export async function signIn(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { email: string; password: string },
): Promise<'signed_in' | 'wrong' | 'second_factor'> {
  try {
    const { token } = await signInWithPassword(ctx, callerOf(request), given)
    setSessionCookie(ctx, reply, token)
    return 'signed_in'
  } catch (error) {
    if (error instanceof OAuthProblem)
      return error.error === 'second_factor_required' ? 'second_factor' : 'wrong'
    throw error
  }
}

export async function signOut(ctx: Context, request: FastifyRequest, reply: FastifyReply) {
  const actor = await sessionOf(ctx, request)
  if (actor) await closeSession(ctx, actor)
  clearSessionCookie(ctx, reply)
}
