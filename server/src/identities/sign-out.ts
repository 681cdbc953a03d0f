import { readWorkspace } from '../company/queries.js'
import { deleteToken } from '../oauth/queries.js'
import { type Actor, actingFor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { findUnstorable } from '../platform/http/read-body.js'
import { OAuthProblem } from '../platform/problem.js'
import { unseal } from '../platform/seal.js'
import type { Connections } from './connect.js'
import { findProviderSession, listProviderSessions } from './identity-queries.js'
import { findOpenProvider, findProvider, type ProviderRow } from './provider-queries.js'
import { idTokenPurpose } from './sign-in.js'

/** Where the browser goes to sign out of the provider too; null where no provider opened this session. */
export async function showSignOut(ctx: Context, connections: Connections, actor: Actor) {
  const tokenId = actor.token_id as number
  const row = await findProviderSession(ctx.db, tokenId)
  const provider = row && (await findProvider(ctx.db, row.id))
  if (!provider) return null
  const { name } = provider
  const id_token = unseal(ctx.secret, idTokenPurpose(tokenId), row.sealed_id_token)?.toString()
  const connection = await connections.to(ctx, provider).catch(() => undefined)
  if (!connection?.config.serverMetadata().end_session_endpoint || !id_token)
    return { name, sign_out_url: null }
  const url = connection.oidc.buildEndSessionUrl(connection.config, {
    id_token_hint: id_token,
    post_logout_redirect_uri: `${ctx.config.app_url}/sign-in`,
  })
  return { name, sign_out_url: url.href }
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const FRESH = '5 minutes'

const invalid = (description: string) => new OAuthProblem(400, 'invalid_request', description)

/** Whose sessions end, by a token that the provider signed (OpenID Connect Back-Channel Logout, 2.6). */
async function readLogoutToken(ctx: Context, connections: Connections, provider: ProviderRow, token: string) {
  const { jwtVerify } = await import('jose')
  const { keys } = await connections.to(ctx, provider)
  const { payload } = await jwtVerify(token, keys, {
    issuer: provider.issuer,
    audience: provider.client_id,
    currentDate: now(ctx.clock),
    maxTokenAge: FRESH,
    clockTolerance: 60,
  })
  const { events, nonce, sub, sid } = payload
  const isLogout = typeof events === 'object' && events !== null && EVENT in events
  if (!isLogout || nonce !== undefined || (!sub && typeof sid !== 'string') || findUnstorable([sub, sid]))
    throw new Error('not a logout token')
  return { subject: sub, sid: typeof sid === 'string' ? sid : undefined }
}

export async function endByProvider(ctx: Context, connections: Connections, slug: string, token: string) {
  const provider = await findOpenProvider(ctx.db, slug)
  if (!provider) throw invalid('There is no such provider')
  const which = await readLogoutToken(ctx, connections, provider, token).catch((error: Error) => {
    ctx.log.warn({ provider: slug, reason: error.message }, 'back-channel logout failed')
    throw invalid('The logout token is invalid')
  })
  await transaction(ctx, async (tx) => {
    const { plan } = await readWorkspace(tx)
    for (const { token_id, user_id } of await listProviderSessions(tx, provider.id, which)) {
      await deleteToken(tx, token_id)
      const actor = actingFor(user_id, 'user', plan as Actor['plan'])
      await record(tx, ctx, actor, { event_key: 'user_logout', entity_type: 'User', entity_id: user_id })
    }
  })
}
