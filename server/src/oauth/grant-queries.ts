import { type Insertable, sql } from 'kysely'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'

/** A set of scopes as one text, the same whatever the order they came in. */
export function scopeText(scopes: readonly string[]): string {
  return [...new Set(scopes)].sort().join(' ')
}

interface Asked {
  bot_id: number
  user_id: number
  scopes: readonly string[]
  resource: string | null
}

export function findGrant(db: Db, { bot_id, user_id, scopes, resource }: Asked) {
  return db
    .selectFrom('oauth_grants')
    .select(['token_id', 'salt'])
    .where('bot_id', '=', bot_id)
    .where('user_id', '=', user_id)
    .where('scope', '=', scopeText(scopes))
    .where('resource', 'is not distinct from', resource)
    .executeTakeFirst()
}

/** Held so that two exchanges at once do not make two tokens. */
export async function lockGranter(tx: Tx, userId: number) {
  await sql`select from users where id = ${userId} for no key update`.execute(tx)
}

export async function insertGrant(tx: Tx, grant: Insertable<DB['oauth_grants']>) {
  await tx.insertInto('oauth_grants').values(grant).execute()
}

export async function updateSalt(tx: Tx, tokenId: number, salt: Buffer) {
  await tx.updateTable('oauth_grants').set({ salt }).where('token_id', '=', tokenId).execute()
}

/** Deletes the tokens that one employee, or all, granted a bot; says how many. */
export async function deleteGrants(tx: Tx, where: { bot_id: number; user_id?: number }): Promise<number> {
  const mine = where.user_id === undefined ? sql`true` : sql`g.user_id = ${where.user_id}`
  const { rows } = await sql<{ id: number }>`
    delete from tokens t using oauth_grants g
    where g.token_id = t.id and g.bot_id = ${where.bot_id} and ${mine} returning t.id`.execute(tx)
  return rows.length
}

export interface GrantRow {
  bot_id: number
  bot_name: string
  client_id: string
  scopes: string[]
  created_at: Date
  last_used_at: Date | null
}

/** What this employee granted, one line a bot. */
export function listGrantsOf(db: Db, userId: number): Promise<GrantRow[]> {
  return read(
    db,
    sql<GrantRow>`
    select g.bot_id, coalesce(u.first_name, u.nickname) as bot_name, b.oauth_client ->> 'client_id' as client_id,
      array(select distinct s from oauth_grants o join tokens ot on ot.id = o.token_id, unnest(ot.scopes) s
        where o.bot_id = g.bot_id and o.user_id = g.user_id order by s) as scopes,
      min(t.created_at) as created_at, max(t.last_used_at) as last_used_at
    from oauth_grants g join tokens t on t.id = g.token_id join users u on u.id = g.bot_id
      join bots b on b.user_id = g.bot_id
    where g.user_id = ${userId}
    group by g.bot_id, g.user_id, u.first_name, u.nickname, b.oauth_client order by g.bot_id`,
  )
}
