import { createHash } from 'node:crypto'
import type { Actor, Resource } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { hashToken } from '../platform/http/holders.js'
import { OAuthProblem } from '../platform/problem.js'
import { MINUTE_MS } from '../platform/time.js'
import type { BotClient } from './client-queries.js'
import { insertCode, lockCode } from './code-queries.js'
import { newTokenValue } from './tokens.js'

const LIFETIME_MS = 10 * MINUTE_MS

export interface CodeRequest {
  redirect_uri: string
  code_challenge: string | null
  resource: Resource | null
}

/** Writes down that an employee lets the bot act, and gives the code that the bot exchanges for a token. */
export function issueCode(
  ctx: Context,
  actor: Actor,
  client: BotClient,
  { redirect_uri, code_challenge, resource }: CodeRequest,
  options: { consented: boolean },
): Promise<string> {
  const { bot_id, client_id, scopes } = client
  return transaction(ctx, async (tx) => {
    const code = newTokenValue()
    const expires_at = new Date(ctx.clock.now() + LIFETIME_MS)
    const row = { bot_id, user_id: actor.user_id, redirect_uri, code_challenge, resource, scopes, expires_at }
    await insertCode(tx, { ...row, hash: hashToken(code) })
    const details = { client_id, scopes }
    const event = { event_key: 'oauth_authorization_granted', entity_type: 'User', entity_id: actor.user_id }
    if (options.consented) await record(tx, ctx, actor, { ...event, details })
    return code
  })
}

export interface CodeProof {
  code: string
  redirect_uri: string
  code_verifier: string | undefined
  /** What the client asks the token for now. */
  resource: Resource | null
}

const refused = (description: string) => new OAuthProblem(400, 'invalid_grant', description)

function verifies(challenge: string, verifier: string | undefined): boolean {
  if (!verifier || !/^[\w.~-]{43,128}$/.test(verifier)) return false
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}

/**
 * The code as it was issued, for the client it was made for. A failed attempt does not consume it; one with
 * a `token_id` was used before.
 */
export async function useCode(tx: Tx, ctx: Context, client: BotClient, proof: CodeProof) {
  const row = await lockCode(tx, hashToken(proof.code))
  if (!row || row.bot_id !== client.bot_id) throw refused('The code is unknown or was used')
  if (row.token_id !== null) return row
  if (row.expires_at.getTime() <= ctx.clock.now()) throw refused('The code has expired')
  if (row.redirect_uri !== proof.redirect_uri)
    throw refused('redirect_uri is not the one the code was sent to')
  if (row.code_challenge === null && proof.code_verifier)
    throw refused('The code was asked for without a challenge')
  if (row.code_challenge !== null && !verifies(row.code_challenge, proof.code_verifier))
    throw refused('code_verifier does not fit')
  if (proof.resource !== null && row.resource !== null && proof.resource !== row.resource)
    throw new OAuthProblem(400, 'invalid_target', 'The code was given for another resource')
  return row
}
