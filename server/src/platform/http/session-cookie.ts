import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.js'

const SESSION = 'parley_session'
/** As long as browsers allow. How long the session itself lasts is known to the server alone. */
const KEPT_S = 400 * 24 * 3600

type Configured = Pick<Context, 'config'>

export interface Cookie {
  name: string
  value: string
  path: string
  lifetime_s: number
}

/** Adds a cookie that scripts cannot read and other sites cannot send along. */
export function setCookie({ config }: Configured, reply: FastifyReply, cookie: Cookie) {
  const { name, value, path, lifetime_s } = cookie
  const secure = new URL(config.public_url).protocol === 'https:'
  const line = stringifySetCookie({
    name,
    value,
    path,
    maxAge: lifetime_s,
    httpOnly: true,
    sameSite: 'lax',
    secure,
  })
  reply.header('Set-Cookie', [...[reply.getHeader('Set-Cookie') ?? []].flat().map(String), line])
}

export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[name]
}

/** The session token of this browser, whichever page sent the request. */
export function sessionCookieOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, SESSION) || undefined
}

export function setSessionCookie(ctx: Configured, reply: FastifyReply, token: string) {
  setCookie(ctx, reply, { name: SESSION, value: token, path: '/', lifetime_s: KEPT_S })
}

export function clearSessionCookie(ctx: Configured, reply: FastifyReply) {
  setCookie(ctx, reply, { name: SESSION, value: '', path: '/', lifetime_s: 0 })
}

function isOwnOrigin({ config }: Configured, request: FastifyRequest, url: string | undefined): boolean {
  if (!url || !URL.canParse(url)) return false
  const { origin, host } = new URL(url)
  return origin === new URL(config.public_url).origin || host === request.headers.host
}

const READS = new Set(['GET', 'HEAD'])

/**
 * Whether one of our own pages asks, or the person who opened an address to read. Browsers say so in Sec-Fetch-Site;
 * over plain http they leave it out, and then Origin or Referer must be ours.
 */
function isOwnPage(ctx: Configured, request: FastifyRequest): boolean {
  const { origin, referer, 'sec-fetch-site': site } = request.headers
  if (site === 'same-origin') return true
  if (site === 'none') return READS.has(request.method)
  return site === undefined && isOwnOrigin(ctx, request, origin ?? referer)
}

/** Whether the cookie is of the person whom the page writes for: in another tab somebody else may have signed in. */
export function isOfNamedUser(request: FastifyRequest, userId: number): boolean {
  const named = request.headers['parley-user']
  return named === undefined || named === String(userId)
}

/** The token in the cookie, where this request may use it: writes need a header that no form can send. */
export function admissibleCookie(ctx: Configured, request: FastifyRequest): string | undefined {
  if (!isOwnPage(ctx, request)) return undefined
  if (!READS.has(request.method) && request.headers['parley-client'] !== 'web') return undefined
  return sessionCookieOf(request)
}
