import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Actor, actingFor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { bearer, hashToken } from '../platform/http/admit.js'
import { OAuthProblem, Problem } from '../platform/problem.js'
import { authenticateClient, CLI_CLIENT_ID, type Credentials } from './clients.js'
import { recordRevoked } from './grants.js'
import { type Form, required } from './read-form.js'

interface Revocable {
  id: number
  user_id: number
  client_id: string | null
  confidential: boolean
  plan: Actor['plan']
}

/** The token behind a value, which may be its own or that of a refresh token. */
async function findRevocable(tx: Tx, value: string): Promise<Revocable | undefined> {
  const hash = hashToken(value)
  const { rows } = await sql<Revocable>`
    select t.id, t.user_id, w.plan, coalesce((b.oauth_client ->> 'confidential')::boolean, false) as confidential,
      case t.kind when 'cli' then ${CLI_CLIENT_ID} else b.oauth_client ->> 'client_id' end as client_id
    from tokens t cross join workspace w
      left join oauth_grants g on g.token_id = t.id left join bots b on b.user_id = g.bot_id
    where t.id in (select id from tokens where hash = ${hash}
      union all select token_id from refresh_tokens where hash = ${hash})`.execute(tx)
  return rows[0]
}

async function end(tx: Tx, ctx: Context, actor: Actor, token: Revocable) {
  await tx.deleteFrom('tokens').where('id', '=', token.id).execute()
  const client_id = token.client_id as string
  await recordRevoked(tx, ctx, actor, { client_id, revoked_tokens_count: 1 })
}

/** Ends a token because what led to it was shown twice; the record is in the name of its holder. */
export async function endReplayed(tx: Tx, ctx: Context, tokenId: number, clientId: string) {
  const { rows } = await sql<{ user_id: number; plan: Actor['plan'] }>`
    delete from tokens t using workspace w where t.id = ${tokenId} returning t.user_id, w.plan`.execute(tx)
  const [ended] = rows
  if (!ended) return
  const actor = actingFor(ended.user_id, 'user', ended.plan)
  await recordRevoked(tx, ctx, actor, { client_id: clientId, revoked_tokens_count: 1 })
}

/** A server client ends a grant of its own; a value that is nothing of its own is none of its business, and no fault. */
async function revokeByClient(
  ctx: Context,
  request: FastifyRequest,
  credentials: Credentials,
  value: string,
) {
  const client = await authenticateClient(ctx.db, credentials)
  if (!client.confidential) throw new OAuthProblem(401, 'invalid_token', 'Access token is missing')
  await transaction(ctx, async (tx) => {
    const token = await findRevocable(tx, value)
    if (token?.client_id !== client.client_id) return
    const agent = request.headers['user-agent']?.slice(0, 255) ?? null
    const actor = {
      ...actingFor(token.user_id, 'user', token.plan),
      ip_address: request.ip,
      user_agent: agent,
    }
    await end(tx, ctx, actor, token)
  })
}

/** A client without a secret proves itself with the token: the same in the header as in the body, or its refresh token. */
async function revokeByHolder(ctx: Context, request: FastifyRequest, value: string) {
  const agent = request.headers['user-agent']?.slice(0, 255) ?? null
  const token = bearer(request.headers.authorization)
  const { actor } = await ctx.admission.identify(token, request.ip, agent)
  await transaction(ctx, async (tx) => {
    const given = await findRevocable(tx, value)
    if (given?.id !== actor.token_id || given.client_id === null || given.confidential)
      throw new Problem(403, 'not_authorized')
    await end(tx, ctx, actor, given)
  })
}

/** Ends a token of a device login or of a grant, at once. */
export async function revoke(ctx: Context, request: FastifyRequest, form: Form, credentials: Credentials) {
  const value = required(form, 'token')
  const header = request.headers.authorization
  if (/^Bearer /i.test(header ?? '') || !credentials.client_secret) return revokeByHolder(ctx, request, value)
  return revokeByClient(ctx, request, credentials, value)
}
