import { type Selectable, sql } from 'kysely'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { DB, Db, Tx } from '../platform/db/index.js'
import { hashToken } from '../platform/http/admit.js'
import { CLI_CLIENT_ID } from './clients.js'
import { maskOf, newTokenValue } from './tokens.js'

/** Of an access token that can be renewed: a device login, or what an employee granted a bot. */
export const LIFETIME_S = 3600

export type TokenRow = Selectable<DB['tokens']>

export function accessExpiry(ctx: Context): Date {
  return new Date(ctx.clock.now() + LIFETIME_S * 1000)
}

/** A value that can be exchanged once for a renewal of the token. */
export async function issueRefreshToken(tx: Tx, ctx: Context, tokenId: number): Promise<string> {
  const value = newTokenValue()
  const row = { hash: hashToken(value), token_id: tokenId, created_at: now(ctx.clock) }
  await tx.insertInto('refresh_tokens').values(row).execute()
  return value
}

export interface UsedRefreshToken {
  token_id: number
  kind: string
  client_id: string
  /** Somebody used it before. */
  replayed: boolean
}

/** Marks a refresh token as used and gives what it renews. */
export async function useRefreshToken(
  tx: Tx,
  ctx: Context,
  value: string,
): Promise<UsedRefreshToken | undefined> {
  const hash = hashToken(value)
  const { rows } = await sql<UsedRefreshToken>`
    select t.id as token_id, t.kind, r.used_at is not null as replayed,
      case t.kind when 'cli' then ${CLI_CLIENT_ID} else b.oauth_client ->> 'client_id' end as client_id
    from refresh_tokens r join tokens t on t.id = r.token_id
      left join oauth_grants g on g.token_id = t.id left join bots b on b.user_id = g.bot_id
    where r.hash = ${hash} for update of r`.execute(tx)
  await sql`
    update refresh_tokens set used_at = ${now(ctx.clock)} where hash = ${hash} and used_at is null`.execute(
    tx,
  )
  return rows[0]
}

/** Gives a token a new value and a new hour and ends the old value; the token itself, and its place in the list, stays. */
export async function renewToken(
  tx: Tx,
  ctx: Context,
  tokenId: number,
  value = newTokenValue(),
): Promise<TokenRow & { value: string }> {
  const row = await tx
    .updateTable('tokens')
    .set({ hash: hashToken(value), mask: maskOf(value), expires_at: accessExpiry(ctx) })
    .where('id', '=', tokenId)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, value }
}

/** Whether the holder may use tokens at all now. */
export async function isActive(db: Db, userId: number): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('suspended', '=', false)
    .where('role', '<>', 'guest')
    .executeTakeFirst()
  return user !== undefined
}
