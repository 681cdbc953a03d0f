import type { AccessTokenInfo, IssuedToken, ScopeName, TokenLimits } from '@parley/contract'
import { type Actor, isAdmin } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { ALLOW, ensure, found, Problem, refuse, type Verdict } from '../platform/problem.js'
import { readNewLimits } from './limits.js'
import { presentToken } from './present.js'
import { deleteToken, findTokenPolicy, lockPersonalToken, type TokenRow, updateToken } from './queries.js'
import { tokenChange } from './token-change.js'
import { issueToken, scopesOf } from './tokens.js'

interface NewPersonalToken {
  name: string
  scopes: readonly ScopeName[]
  limits?: TokenLimits
}

/** A setting may leave new access to owner and admins; guests have none of it. */
async function mayGainAccess(db: Db, actor: Actor): Promise<Verdict> {
  if (isAdmin(actor)) return ALLOW
  const { personal_tokens, role } = await findTokenPolicy(db, actor.user_id)
  return personal_tokens === 'all' && role !== 'guest' ? ALLOW : refuse('token.create', { role: actor.role })
}

/** A token gets only scopes that the role of its holder may have. */
function checkScopes(actor: Actor, scopes: readonly ScopeName[]): ScopeName[] {
  const own = scopesOf(actor.role)
  const foreign = scopes.filter((scope) => !own.includes(scope))
  if (foreign.length > 0)
    throw new Problem(400, 'inclusion', {
      key: 'scopes',
      value: foreign.join(', '),
      message: `your role may hold ${own.join(', ')}`,
    })
  return [...new Set(scopes)]
}

function cleanName(name: string): string {
  if (name.trim() === '') throw new Problem(422, 'blank', { key: 'name', value: name, message: BLANK })
  return name.trim()
}

function audited(event_key: string, token: Pick<TokenRow, 'id' | 'scopes'>) {
  return { event_key, entity_type: 'AccessToken', entity_id: token.id, details: { scopes: token.scopes } }
}

export function issuePersonalToken(
  ctx: Context,
  actor: Actor,
  input: NewPersonalToken,
): Promise<IssuedToken> {
  const scopes = checkScopes(actor, input.scopes)
  const name = cleanName(input.name)
  const limits = readNewLimits(ctx, input.limits)
  return transaction(ctx, async (tx) => {
    ensure(await mayGainAccess(tx, actor), 'create_token', { type: 'User', id: actor.user_id })
    const token = await issueToken(tx, ctx, {
      user_id: actor.user_id,
      kind: 'personal',
      name,
      scopes,
      limits,
    })
    await record(tx, ctx, actor, audited('access_token_created', token))
    return { ...presentToken(token), access_token: token.value }
  })
}

/** Narrowing and renaming stay open to everybody; a wider token is new access. */
export function editPersonalToken(
  ctx: Context,
  actor: Actor,
  tokenId: number,
  input: Partial<NewPersonalToken>,
): Promise<AccessTokenInfo> {
  const scopes = input.scopes && checkScopes(actor, input.scopes)
  const name = input.name === undefined ? undefined : cleanName(input.name)
  return transaction(ctx, async (tx) => {
    const token = found(await lockPersonalToken(tx, actor.user_id, tokenId), { key: 'id', value: tokenId })
    if (scopes?.some((scope) => !token.scopes.includes(scope)))
      ensure(await mayGainAccess(tx, actor), 'update_token', { type: 'AccessToken', id: token.id })
    const change = tokenChange(token, { name, scopes, limits: input.limits })
    if (!change) return presentToken(token)
    const changed = await updateToken(tx, token.id, change)
    await record(tx, ctx, actor, audited('access_token_updated', changed))
    return presentToken(changed)
  })
}

export function revokePersonalToken(ctx: Context, actor: Actor, tokenId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const token = found(await lockPersonalToken(tx, actor.user_id, tokenId), { key: 'id', value: tokenId })
    await deleteToken(tx, token.id)
    await record(tx, ctx, actor, audited('access_token_destroy', token))
  })
}

/** Owner and admins may revoke any token of the workspace. */
export function revokeAnyToken(ctx: Context, actor: Actor, tokenId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const token = found(await deleteToken(tx, tokenId), { key: 'id', value: tokenId })
    await record(tx, ctx, actor, audited('access_token_destroy', token))
  })
}
