import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, closeSession, signInWithPassword } from '../accounts/sessions.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { OAuthProblem } from '../platform/problem.js'

const SESSION = 'parley_session'
const FORM = 'parley_form'
const SESSION_S = 3600

function cookiesOf(request: FastifyRequest): Map<string, string> {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  return new Map(pairs.map(([name = '', value = '']) => [name, value]))
}

function setCookie(ctx: Context, reply: FastifyReply, name: string, value: string, lifetime_s: number) {
  const app = new URL(ctx.config.app_url)
  const path = `${app.pathname.replace(/\/$/, '')}/apps/authorize`
  const secure = app.protocol === 'https:' ? '; Secure' : ''
  const cookie = `${name}=${value}; Path=${path}; Max-Age=${lifetime_s}; HttpOnly; SameSite=Lax${secure}`
  reply.header('Set-Cookie', [...[reply.getHeader('Set-Cookie') ?? []].flat().map(String), cookie])
}

/** Who is signed in on these pages; undefined for nobody. A guest or somebody suspended is told so by the throw. */
export async function sessionOf(ctx: Context, request: FastifyRequest): Promise<Actor | undefined> {
  const value = cookiesOf(request).get(SESSION)
  if (!value) return undefined
  try {
    const { actor } = await ctx.admission.identify(value, request.ip, callerOf(request).user_agent)
    return actor.token_kind === 'session' ? actor : undefined
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
  const known = cookiesOf(request).get(FORM)
  const cookie = known && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url')
  if (cookie !== known) setCookie(ctx, reply, FORM, cookie, SESSION_S)
  return formToken(ctx, cookie)
}

/** Whether a posted form came from one of our own pages in this browser. */
export function isOwnForm(ctx: Context, request: FastifyRequest, given: string | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const known = Buffer.from(formToken(ctx, cookiesOf(request).get(FORM) ?? ''))
  const token = Buffer.from(given ?? '')
  return known.length === token.length && timingSafeEqual(known, token)
}

/** Signs in by mail and password; false where they do not fit. */
export async function signIn(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { email: string; password: string },
): Promise<boolean> {
  try {
    const { token } = await signInWithPassword(ctx, callerOf(request), given)
    setCookie(ctx, reply, SESSION, token, SESSION_S)
    return true
  } catch (error) {
    if (error instanceof OAuthProblem) return false
    throw error
  }
}

export async function signOut(ctx: Context, request: FastifyRequest, reply: FastifyReply) {
  const actor = await sessionOf(ctx, request)
  if (actor) await closeSession(ctx, actor)
  setCookie(ctx, reply, SESSION, '', 0)
}
