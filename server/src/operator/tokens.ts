import { type Role, SCOPE_NAMES } from '@parley/contract'
import { revokeAnyToken } from '../oauth/personal-tokens.js'
import { issueToken, scopesOf } from '../oauth/tokens.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import { transaction } from '../platform/db/transaction.js'
import { OperatorError } from './errors.js'
import { findNamed } from './people.js'
import { listTokensOf, type NamedUser } from './queries.js'
import type { OpenWorkspace } from './workspace.js'

/** Every scope that the account may hold, or those of them that are named. */
function chooseScopes(user: NamedUser, wanted: string[] | undefined): string[] {
  if (user.role === 'guest') throw new OperatorError('A guest cannot use the API.')
  const all: string[] = scopesOf(user.bot ? 'bot' : (user.role as Role))
  if (!wanted) return all
  const unknown = wanted.find((scope) => !(SCOPE_NAMES as string[]).includes(scope))
  if (unknown !== undefined)
    throw new OperatorError(`${unknown} is not a scope. Scopes are: ${SCOPE_NAMES.join(', ')}.`)
  const denied = wanted.filter((scope) => !all.includes(scope))
  if (denied.length > 0) throw new OperatorError(`This account may not hold ${denied.join(', ')}.`)
  return wanted
}

/** A personal or bot token of somebody, which is shown once. */
export async function createToken(
  workspace: OpenWorkspace,
  wanted: { user: string; name?: string; scopes?: string[] },
) {
  const { ctx, actor } = workspace
  const user = await findNamed(workspace, wanted.user)
  const scopes = chooseScopes(user, wanted.scopes)
  const kind = user.bot ? 'bot' : 'personal'
  const name = wanted.name ?? 'Command line'
  return transaction(ctx, async (tx) => {
    const token = await issueToken(tx, ctx, { user_id: user.id, kind, scopes, name })
    const entity = { entity_type: 'AccessToken', entity_id: token.id, details: { scopes } }
    await record(tx, ctx, actor, { event_key: 'access_token_created', ...entity })
    return { id: token.id, user_id: user.id, token: token.value, scopes }
  })
}

export async function listTokens(workspace: OpenWorkspace, who: string | undefined) {
  const user = who === undefined ? undefined : await findNamed(workspace, who)
  return listTokensOf(workspace.ctx.db, now(workspace.ctx.clock), user?.id)
}

export function revokeToken({ ctx, actor }: OpenWorkspace, tokenId: number): Promise<void> {
  return revokeAnyToken(ctx, actor, tokenId)
}
