import { type Selectable, sql } from 'kysely'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { DB, Db, Tx } from '../platform/db/index.js'
import { hashToken } from '../platform/http/admit.js'
import { CLI_CLIENT_ID } from './clients.js'
import { maskOf, newTokenValue } from './tokens.js'

export const CLI_LIFETIME_S = 3600

export type TokenRow = Selectable<DB['tokens']>

export function cliExpiry(ctx: Context): Date {
  return new Date(ctx.clock.now() + CLI_LIFETIME_S * 1000)
}

/** A value that can be exchanged once for a renewal of the token. */
export async function issueRefreshToken(tx: Tx, ctx: Context, tokenId: number): Promise<string> {
  const value = newTokenValue()
  const row = { hash: hashToken(value), token_id: tokenId, created_at: present(ctx.clock) }
  await tx.insertInto('refresh_tokens').values(row).execute()
  return value
}

/** Takes a refresh token away and gives what it renews. */
export async function useRefreshToken(tx: Tx, value: string) {
  const { rows } = await sql<{ token_id: number; kind: string; client_id: string; salt: Buffer | null }>`
    with used as (delete from refresh_tokens where hash = ${hashToken(value)} returning token_id)
    select t.id as token_id, t.kind, g.salt,
      case t.kind when 'cli' then ${CLI_CLIENT_ID} else b.oauth_client ->> 'client_id' end as client_id
    from used join tokens t on t.id = used.token_id
      left join oauth_grants g on g.token_id = t.id left join bots b on b.user_id = g.bot_id`.execute(tx)
  return rows[0]
}

/** Gives a device login a new value and a new hour; the login itself, and its place in the list, stays. */
export async function renewToken(
  tx: Tx,
  ctx: Context,
  tokenId: number,
): Promise<TokenRow & { value: string }> {
  const value = newTokenValue()
  const row = await tx
    .updateTable('tokens')
    .set({ hash: hashToken(value), mask: maskOf(value), expires_at: cliExpiry(ctx) })
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
