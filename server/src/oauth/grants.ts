import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { findToken } from './queries.js'
import { accessExpiry, renewToken } from './refresh.js'
import { issueToken } from './tokens.js'

/** A set of scopes as one text, the same whatever the order they came in. */
export function scopeText(scopes: readonly string[]): string {
  return [...new Set(scopes)].sort().join(' ')
}

/** Made from the salt again whenever the same grant is asked for; without the workspace's secret it tells nothing. */
export function grantValue(ctx: Pick<Context, 'secret'>, salt: Buffer): string {
  return createHmac('sha256', ctx.secret).update('grant').update(salt).digest('base64url')
}

export function findGrant(db: Db, botId: number, userId: number, scopes: readonly string[]) {
  return db
    .selectFrom('oauth_grants')
    .select(['token_id', 'salt'])
    .where('bot_id', '=', botId)
    .where('user_id', '=', userId)
    .where('scope', '=', scopeText(scopes))
    .executeTakeFirst()
}

interface Granted {
  bot_id: number
  bot_name: string
  user_id: number
  scopes: readonly string[]
}

/** The token of this employee for this bot and this set of scopes: the one that is there, or a new one. */
export async function openGrant(tx: Tx, ctx: Context, { bot_id, bot_name, user_id, scopes }: Granted) {
  // Held so that two exchanges at once do not make two tokens.
  await sql`select from users where id = ${user_id} for no key update`.execute(tx)
  const known = await findGrant(tx, bot_id, user_id, scopes)
  if (known) return shareGrant(tx, ctx, known)
  const salt = randomBytes(32)
  const value = grantValue(ctx, salt)
  const expires_at = accessExpiry(ctx)
  const token = await issueToken(tx, ctx, {
    user_id,
    kind: 'granted',
    scopes,
    name: bot_name,
    value,
    expires_at,
  })
  const grant = { token_id: token.id, bot_id, user_id, scope: scopeText(scopes), salt }
  await tx.insertInto('oauth_grants').values(grant).execute()
  return token
}

/** The same token for whoever is granted the same again, while it lives. */
async function shareGrant(tx: Tx, ctx: Context, { token_id, salt }: { token_id: number; salt: Buffer }) {
  const token = await findToken(tx, token_id)
  const over = token?.expires_at && token.expires_at.getTime() <= ctx.clock.now()
  return over ? renewGrant(tx, ctx, token_id) : renewToken(tx, ctx, token_id, grantValue(ctx, salt))
}

/** A new value for a grant; the old one ends. */
export async function renewGrant(tx: Tx, ctx: Context, token_id: number) {
  const salt = randomBytes(32)
  await tx.updateTable('oauth_grants').set({ salt }).where('token_id', '=', token_id).execute()
  return renewToken(tx, ctx, token_id, grantValue(ctx, salt))
}

async function deleteGrants(tx: Tx, where: { bot_id: number; user_id?: number }): Promise<number> {
  const mine = where.user_id === undefined ? sql`true` : sql`g.user_id = ${where.user_id}`
  const { rows } = await sql<{ id: number }>`
    delete from tokens t using oauth_grants g
    where g.token_id = t.id and g.bot_id = ${where.bot_id} and ${mine} returning t.id`.execute(tx)
  return rows.length
}

/** Ends everything that employees granted this bot: its sign-in was turned off, or the bot is deleted. */
export async function revokeGrants(tx: Tx, botId: number) {
  const codes = await tx
    .deleteFrom('oauth_codes')
    .where('bot_id', '=', botId)
    .where('token_id', 'is', null)
    .executeTakeFirst()
  const deleted_access_tokens_count = await deleteGrants(tx, { bot_id: botId })
  return { deleted_access_tokens_count, deleted_access_grants_count: Number(codes.numDeletedRows) }
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
export async function listGrantsOf(db: Db, userId: number): Promise<GrantRow[]> {
  const rows = await read(
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
  return rows
}

/** Ends what one employee granted one bot; false where there was nothing. */
export async function revokeGrantsOf(tx: Tx, ctx: Context, actor: Actor, botId: number): Promise<boolean> {
  const grant = (await listGrantsOf(tx, actor.user_id)).find(({ bot_id }) => bot_id === botId)
  if (!grant) return false
  await tx
    .deleteFrom('oauth_codes')
    .where('bot_id', '=', botId)
    .where('user_id', '=', actor.user_id)
    .execute()
  const revoked_tokens_count = await deleteGrants(tx, { bot_id: botId, user_id: actor.user_id })
  await recordRevoked(tx, ctx, actor, { client_id: grant.client_id, revoked_tokens_count })
  return true
}

export function recordRevoked(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  details: { client_id: string; revoked_tokens_count: number },
) {
  const event_key = 'oauth_authorization_revoked'
  return record(tx, ctx, actor, { event_key, entity_type: 'User', entity_id: actor.user_id, details })
}
