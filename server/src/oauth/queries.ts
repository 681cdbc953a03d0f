import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import {
  type Autocommit,
  type AutocommitPool,
  type DB,
  type Db,
  type Tx,
  writeRows,
} from '../platform/db/index.js'
import type { TokenUse } from '../platform/http/admit.js'
import { type Paging, pageOf } from '../platform/http/page.js'

export type TokenRow = Selectable<DB['tokens']>

export function findToken(db: Db, tokenId: number) {
  return db.selectFrom('tokens').selectAll().where('id', '=', tokenId).executeTakeFirst()
}

const BY_ID = { id: sql`tokens.id` }

export function listPersonalTokensOf(db: Db, userId: number, paging: Paging): Promise<TokenRow[]> {
  const tokens = db
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'personal')
  return pageOf(tokens, paging, BY_ID).execute()
}

/** Tokens that still work, of everybody or of one. */
export function listTokens(db: Db, now: Date, userId: number | undefined, paging: Paging) {
  const live = db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('tokens')
    .where('users.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
  const tokens = userId === undefined ? live : live.where('tokens.user_id', '=', userId)
  return pageOf(tokens, paging, BY_ID).execute()
}

export function lockPersonalToken(tx: Tx, userId: number, tokenId: number): Promise<TokenRow | undefined> {
  return tx
    .selectFrom('tokens')
    .selectAll()
    .where('id', '=', tokenId)
    .where('user_id', '=', userId)
    .where('kind', '=', 'personal')
    .forUpdate()
    .executeTakeFirst()
}

export function updateToken(tx: Tx, tokenId: number, change: Updateable<DB['tokens']>): Promise<TokenRow> {
  return tx
    .updateTable('tokens')
    .set(change)
    .where('id', '=', tokenId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function insertToken(tx: Tx, token: Insertable<DB['tokens']>): Promise<TokenRow> {
  return tx.insertInto('tokens').values(token).returningAll().executeTakeFirstOrThrow()
}

export function deleteToken(tx: Tx, tokenId: number): Promise<TokenRow | undefined> {
  return tx.deleteFrom('tokens').where('id', '=', tokenId).returningAll().executeTakeFirst()
}

export async function dropTokens(tx: Tx, userId: number) {
  await tx.deleteFrom('tokens').where('user_id', '=', userId).execute()
}

/** Sessions of a person that are not over. */
export function listSessionsOf(db: Db, userId: number, now: Date, paging: Paging): Promise<TokenRow[]> {
  const tokens = db
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'session')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
  return pageOf(tokens, paging, BY_ID).execute()
}

/** Deletes one session of a person, or all but one. */
export function deleteSessions(
  tx: Tx,
  userId: number,
  which: { only: number } | { but: number | null },
): Promise<TokenRow[]> {
  const sessions = tx.deleteFrom('tokens').where('user_id', '=', userId).where('kind', '=', 'session')
  const chosen =
    'only' in which
      ? sessions.where('id', '=', which.only)
      : sessions.where('id', 'is distinct from', which.but)
  return chosen.returningAll().execute()
}

export async function deleteExpiredSessions(db: Autocommit, now: Date) {
  await db.deleteFrom('tokens').where('kind', '=', 'session').where('expires_at', '<=', now).execute()
}

/** Who may have tokens of their own, and what this person is. */
export function findTokenPolicy(db: Db, userId: number) {
  return db
    .selectFrom('workspace')
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .select(['workspace.personal_tokens', 'users.role'])
    .executeTakeFirstOrThrow()
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

/** Notes the use of a token and gives its holder; undefined where another process has noted it. */
export async function noteTokenUse(pool: AutocommitPool, use: TokenUse): Promise<number | undefined> {
  const [used] = await writeRows<{ user_id: number }>(
    pool,
    `update tokens set last_used_at = $2, ip_address = $4, expires_at = coalesce($5, expires_at)
     where id = $1 and (last_used_at is null or last_used_at <= $3) returning user_id`,
    [use.token_id, use.at, use.unless_since, use.ip_address, use.expires_at],
  )
  return used?.user_id
}
