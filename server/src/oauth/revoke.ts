import type { FastifyRequest } from 'fastify'
import { type Actor, actingFor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { bearer } from '../platform/http/admit.js'
import { hashToken } from '../platform/http/holders.js'
import { Problem } from '../platform/problem.js'
import { authenticateClient, CLI_CLIENT_ID, type Credentials, isCli } from './clients.js'
import { recordRevoked } from './grants.js'
import { deleteToken } from './queries.js'
import { type Form, required } from './read-form.js'
import { endToken, findRevocable, type Revocable } from './revoke-queries.js'

async function end(tx: Tx, ctx: Context, actor: Actor, token: Revocable) {
  await deleteToken(tx, token.id)
  const client_id = token.client_id as string
  await recordRevoked(tx, ctx, actor, { client_id, revoked_tokens_count: 1 })
}

/** Ends a token because what led to it was shown twice; the record is in the name of its holder. */
export async function endReplayed(tx: Tx, ctx: Context, tokenId: number, clientId: string) {
  const ended = await endToken(tx, tokenId)
  if (!ended) return
  const actor = actingFor(ended.user_id, 'user', ended.plan)
  await recordRevoked(tx, ctx, actor, { client_id: clientId, revoked_tokens_count: 1 })
}

/** A client revokes a token of its own, which proves one without a secret; unknown or foreign tokens are ignored (RFC 7009, 2.2). */
async function revokeByClient(
  ctx: Context,
  request: FastifyRequest,
  credentials: Credentials,
  value: string,
) {
  const isDevice = isCli(ctx, credentials.client_id)
  const client_id = isDevice ? CLI_CLIENT_ID : (await authenticateClient(ctx.db, credentials)).client_id
  await transaction(ctx, async (tx) => {
    const token = await findRevocable(tx, hashToken(value))
    if (token?.client_id !== client_id) return
    const agent = request.headers['user-agent']?.slice(0, 255) ?? null
    const actor = {
      ...actingFor(token.user_id, 'user', token.plan),
      ip_address: request.ip,
      user_agent: agent,
    }
    await end(tx, ctx, actor, token)
  })
}

/** Without a client the token of the header is that of the body, or what its refresh token renews. */
async function revokeByHolder(ctx: Context, request: FastifyRequest, value: string) {
  const agent = request.headers['user-agent']?.slice(0, 255) ?? null
  const token = bearer(request.headers.authorization)
  const { actor } = await ctx.admission.identify(token, request.ip, agent)
  await transaction(ctx, async (tx) => {
    const given = await findRevocable(tx, hashToken(value))
    if (given?.id !== actor.token_id || given.client_id === null || given.confidential)
      throw new Problem(403, 'not_authorized', { rule: 'token.own' })
    await end(tx, ctx, actor, given)
  })
}

/** Ends a token of a device login or of a grant, at once. */
export async function revoke(ctx: Context, request: FastifyRequest, form: Form, credentials: Credentials) {
  const value = required(form, 'token')
  const header = request.headers.authorization
  if (/^Bearer /i.test(header ?? '') || !credentials.client_id) return revokeByHolder(ctx, request, value)
  return revokeByClient(ctx, request, credentials, value)
}
