import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { hashToken } from '../platform/http/holders.js'
import { type TokenRow, updateToken } from './queries.js'
import {
  insertRefreshToken,
  lockRefreshToken,
  markRefreshUsed,
  type UsedRefreshToken,
} from './refresh-queries.js'
import { maskOf, newTokenValue } from './tokens.js'

/** Of an access token that can be renewed: a device login, or what an employee granted a bot. */
export const LIFETIME_S = 3600

export function accessExpiry(ctx: Context): Date {
  return new Date(ctx.clock.now() + LIFETIME_S * 1000)
}

/** A value that can be exchanged once for a renewal of the token. */
export async function issueRefreshToken(tx: Tx, ctx: Context, tokenId: number): Promise<string> {
  const value = newTokenValue()
  const row = { hash: hashToken(value), token_id: tokenId, created_at: now(ctx.clock) }
  await insertRefreshToken(tx, row)
  return value
}

/** Marks a refresh token as used and gives what it renews. */
export async function useRefreshToken(
  tx: Tx,
  ctx: Context,
  value: string,
): Promise<UsedRefreshToken | undefined> {
  const hash = hashToken(value)
  const used = await lockRefreshToken(tx, hash)
  await markRefreshUsed(tx, hash, now(ctx.clock))
  return used
}

/** Gives a token a new value and a new hour and ends the old value; the token itself, and its place in the list, stays. */
export async function renewToken(
  tx: Tx,
  ctx: Context,
  tokenId: number,
  value = newTokenValue(),
): Promise<TokenRow & { value: string }> {
  const change = { hash: hashToken(value), mask: maskOf(value), expires_at: accessExpiry(ctx) }
  const row = await updateToken(tx, tokenId, change)
  return { ...row, value }
}
