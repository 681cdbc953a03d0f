import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { matchesPassword } from '../../company/passwords.js'
import type { Actor } from '../../platform/actor.js'
import { record } from '../../platform/audit/record.js'
import type { Context } from '../../platform/context.js'
import { transaction } from '../../platform/db/transaction.js'
import { hashToken } from '../../platform/http/admit.js'
import { OAuthProblem, Problem } from '../../platform/problem.js'
import { issueToken } from '../tokens.js'

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

function agentOf(request: FastifyRequest): string | null {
  return request.headers['user-agent']?.slice(0, 255) ?? null
}

/** Who is signed in on these pages; undefined for nobody. A guest or somebody suspended is told so by the throw. */
export async function sessionOf(ctx: Context, request: FastifyRequest): Promise<Actor | undefined> {
  const value = cookiesOf(request).get(SESSION)
  if (!value) return undefined
  try {
    const { actor } = await ctx.admission.identify(value, request.ip, agentOf(request))
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

async function findByEmail(ctx: Context, email: string) {
  const { rows } = await sql<{ id: number; role: string; suspended: boolean; password_hash: string | null }>`
    select id, role, suspended, password_hash from users
    where lower(email) = lower(${email}) and deleted_at is null and not bot`.execute(ctx.db)
  return rows[0]
}

/** Signs in by mail and password; false where they do not fit. */
export async function signIn(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  given: { email: string; password: string },
): Promise<boolean> {
  const user = await findByEmail(ctx, given.email)
  const fits = await matchesPassword(given.password, user?.password_hash ?? null)
  if (!user || !fits) return false
  if (user.suspended || user.role === 'guest') throw new Problem(403, 'access_denied')
  const expires_at = new Date(ctx.clock.now() + SESSION_S * 1000)
  const session = await transaction(ctx, (tx) =>
    issueToken(tx, ctx, { user_id: user.id, kind: 'session', scopes: [], name: 'Consent page', expires_at }),
  )
  const { actor } = await ctx.admission.identify(session.value, request.ip, agentOf(request))
  const event = { event_key: 'user_login', entity_type: 'User', entity_id: user.id }
  await transaction(ctx, (tx) => record(tx, ctx, actor, event))
  setCookie(ctx, reply, SESSION, session.value, SESSION_S)
  return true
}

export async function signOut(ctx: Context, request: FastifyRequest, reply: FastifyReply) {
  const value = cookiesOf(request).get(SESSION)
  if (value) {
    await transaction(ctx, (tx) =>
      tx.deleteFrom('tokens').where('hash', '=', hashToken(value)).where('kind', '=', 'session').execute(),
    )
  }
  setCookie(ctx, reply, SESSION, '', 0)
}
