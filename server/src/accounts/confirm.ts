import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { found, Problem } from '../platform/problem.js'
import { MINUTE_MS } from '../platform/time.js'
import { findUserFor, type UserRow } from '../users/queries.js'
import { findConfirmation, putConfirmation } from './confirm-queries.js'

const CONFIRMED_MS = 5 * MINUTE_MS
const ASK = 'enter your password, or confirm through an identity provider'

/** Until when this session needs no password; null where it does. */
export async function confirmedUntil(
  ctx: Context,
  { token_id }: Pick<Actor, 'token_id'>,
): Promise<Date | null> {
  const at = token_id === null ? undefined : await findConfirmation(ctx.db, token_id)
  const until = new Date((at?.getTime() ?? 0) + CONFIRMED_MS)
  return until > now(ctx.clock) ? until : null
}

/** Notes that the holder of a session signed in anew at a provider. */
export function noteConfirmation(tx: Tx, ctx: Context, tokenId: number): Promise<void> {
  return putConfirmation(tx, tokenId, now(ctx.clock))
}

/** Whoever finds a browser open must not change how its owner signs in. */
export async function ensureConfirmed(
  ctx: Context,
  actor: Actor,
  password: string | undefined,
): Promise<UserRow & { email: string }> {
  const user = found(await findUserFor(ctx.db, actor, actor.user_id))
  if (password === undefined && !(await confirmedUntil(ctx, actor)))
    throw new Problem(422, 'blank', { key: 'password', message: ASK })
  if (password !== undefined && !(await ctx.passwords.matches(password, user.password_hash)))
    throw new Problem(422, 'invalid', { key: 'password', message: 'is not your password' })
  return { ...user, email: user.email ?? user.nickname }
}
