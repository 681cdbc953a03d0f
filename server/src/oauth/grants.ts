import { createHmac, randomBytes } from 'node:crypto'
import type { Actor, Resource } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { deleteCodesOf, deleteUnusedCodes } from './code-queries.js'
import {
  deleteGrants,
  findGrant,
  insertGrant,
  listGrantsOf,
  lockGranter,
  scopeText,
  updateSalt,
} from './grant-queries.js'
import { findToken } from './queries.js'
import { accessExpiry, renewToken } from './refresh.js'
import { issueToken } from './tokens.js'

/** Made from the salt again whenever the same grant is asked for; useless without the workspace's secret. */
export function grantValue(ctx: Pick<Context, 'secret'>, salt: Buffer): string {
  return createHmac('sha256', ctx.secret).update('grant').update(salt).digest('base64url')
}

interface Granted {
  bot_id: number
  bot_name: string
  user_id: number
  scopes: readonly string[]
  resource: Resource | null
}

/** The token of this employee for this bot and this set of scopes: the one that is there, or a new one. */
export async function openGrant(tx: Tx, ctx: Context, granted: Granted) {
  const { bot_id, bot_name, user_id, scopes, resource } = granted
  await lockGranter(tx, user_id)
  const known = await findGrant(tx, granted)
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
    resource,
  })
  const grant = { token_id: token.id, bot_id, user_id, scope: scopeText(scopes), resource, salt }
  await insertGrant(tx, grant)
  return token
}

/** The same grant again gives the same token, while it is valid. */
async function shareGrant(tx: Tx, ctx: Context, { token_id, salt }: { token_id: number; salt: Buffer }) {
  const token = await findToken(tx, token_id)
  const over = token?.expires_at && token.expires_at.getTime() <= ctx.clock.now()
  return over ? renewGrant(tx, ctx, token_id) : renewToken(tx, ctx, token_id, grantValue(ctx, salt))
}

/** A new value for a grant; the old one ends. */
export async function renewGrant(tx: Tx, ctx: Context, token_id: number) {
  const salt = randomBytes(32)
  await updateSalt(tx, token_id, salt)
  return renewToken(tx, ctx, token_id, grantValue(ctx, salt))
}

/** Ends everything that employees granted this bot: its sign-in was turned off, or the bot is deleted. */
export async function revokeGrants(tx: Tx, botId: number) {
  const deleted_access_grants_count = await deleteUnusedCodes(tx, botId)
  const deleted_access_tokens_count = await deleteGrants(tx, { bot_id: botId })
  return { deleted_access_tokens_count, deleted_access_grants_count }
}

/** Ends what one employee granted one bot; false where there was nothing. */
export async function revokeGrantsOf(tx: Tx, ctx: Context, actor: Actor, botId: number): Promise<boolean> {
  const grant = (await listGrantsOf(tx, actor.user_id)).find(({ bot_id }) => bot_id === botId)
  if (!grant) return false
  await deleteCodesOf(tx, botId, actor.user_id)
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
