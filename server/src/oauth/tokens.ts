import { randomBytes } from 'node:crypto'
import { type Role, SCOPE_NAMES, SCOPES, type ScopeName, type TokenLimits } from '@parley/contract'
import type { Actor, Resource, TokenKind } from '../platform/actor.js'
import { type Clock, now } from '../platform/clock.js'
import type { Tx } from '../platform/db/index.js'
import { hashToken } from '../platform/http/holders.js'
import { columnsOf } from './limits.js'
import { insertToken, updateToken } from './queries.js'

/** A new opaque value: 43 URL-safe characters. */
export function newTokenValue(): string {
  return randomBytes(32).toString('base64url')
}

/** What people may see of a token again: its first eight and last four characters. */
export function maskOf(value: string): string {
  return `${value.slice(0, 8)}...${value.slice(-4)}`
}

/** Every scope that a role may hold. */
export function scopesOf(role: Role): ScopeName[] {
  return SCOPE_NAMES.filter((scope) => (SCOPES[scope] as readonly Role[]).includes(role))
}

export interface NewToken {
  user_id: number
  kind: TokenKind
  scopes: readonly string[]
  name?: string | null
  value?: string
  expires_at?: Date | null
  limits?: TokenLimits | null
  resource?: Resource | null
  /** From where it was asked for. */
  caller?: Pick<Actor, 'ip_address' | 'user_agent'>
}

/** Stores a token and gives its full value, which nobody can read again. */
export async function issueToken(tx: Tx, ctx: { clock: Clock }, token: NewToken) {
  const value = token.value ?? newTokenValue()
  const row = await insertToken(tx, {
    user_id: token.user_id,
    kind: token.kind,
    hash: hashToken(value),
    mask: maskOf(value),
    name: token.name ?? null,
    scopes: [...token.scopes],
    created_at: now(ctx.clock),
    expires_at: token.expires_at ?? null,
    ip_address: token.caller?.ip_address ?? null,
    user_agent: token.caller?.user_agent ?? null,
    resource: token.resource ?? null,
    ...columnsOf(token.limits ?? null),
  })
  return { ...row, value }
}

/** Gives a token a new value; the old one is dead at once, name and scopes stay. */
export async function reissueToken(tx: Tx, tokenId: number) {
  const value = newTokenValue()
  const row = await updateToken(tx, tokenId, { hash: hashToken(value), mask: maskOf(value) })
  return { ...row, value }
}
