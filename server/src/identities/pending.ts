import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../platform/context.js'
import { cookieOf, setCookie } from '../platform/http/session-cookie.js'
import { seal, unseal } from '../platform/seal.js'
import { MINUTE_MS } from '../platform/time.js'

const COOKIE = 'parley_oidc'
const PURPOSE = 'provider sign-in'
const LIFETIME_MS = 10 * MINUTE_MS

/** What a person who is signed in already goes to a provider for; the way back has to end in the same session. */
export interface Intent {
  kind: 'link' | 'confirm'
  token_id: number
}

/** A sign-in that is under way at a provider; the browser carries it, sealed. */
export interface Pending {
  slug: string
  state: string
  nonce: string
  verifier: string
  to: string
  intent?: Intent
  expires_at: number
}

export const begunAt = ({ expires_at }: Pending) => expires_at - LIFETIME_MS

const pathOf = ({ config }: Context) =>
  `${new URL(config.public_url).pathname.replace(/\/$/, '')}/sign-in/oidc`

export function keepPending(ctx: Context, reply: FastifyReply, pending: Omit<Pending, 'expires_at'>) {
  const expires_at = ctx.clock.now() + LIFETIME_MS
  const value = seal(ctx.secret, PURPOSE, JSON.stringify({ ...pending, expires_at })).toString('base64url')
  setCookie(ctx, reply, { name: COOKIE, value, path: pathOf(ctx), lifetime_s: LIFETIME_MS / 1000 })
}

/** What this browser began with this provider; it works once. */
export function takePending(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  slug: string,
): Pending | undefined {
  const value = cookieOf(request, COOKIE)
  if (!value) return undefined
  setCookie(ctx, reply, { name: COOKIE, value: '', path: pathOf(ctx), lifetime_s: 0 })
  const text = unseal(ctx.secret, PURPOSE, Buffer.from(value, 'base64url'))
  const pending = text && (JSON.parse(text.toString()) as Pending)
  return pending && pending.slug === slug && pending.expires_at > ctx.clock.now() ? pending : undefined
}
