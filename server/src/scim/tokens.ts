import type { ScimRequest, ScimToken } from '@parley/contract'
import { maskOf, newTokenValue } from '../oauth/tokens.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { hashToken } from '../platform/http/holders.js'
import { found, Problem } from '../platform/problem.js'
import {
  deleteScimTokenRow,
  insertScimToken,
  listRequestRows,
  listTokenRows,
  type ScimTokenRow,
} from './token-queries.js'

export const baseUrl = ({ config }: Context) => `${config.public_url}/scim/v2`

function presentToken({ id, name, mask, created_at, last_used_at }: ScimTokenRow): ScimToken {
  const times = { created_at: created_at.toISOString(), last_used_at: last_used_at?.toISOString() ?? null }
  return { id, name, mask, ...times }
}

export async function showTokens(ctx: Context): Promise<ScimToken[]> {
  return (await listTokenRows(ctx.db)).map(presentToken)
}

const about = (id: number) => ({ entity_type: 'ScimToken', entity_id: id })

/** The value is shown this once. */
export function makeToken(ctx: Context, actor: Actor, given: string) {
  const name = given.trim()
  if (name === '') throw new Problem(422, 'blank', { key: 'name', value: given, message: BLANK })
  const token = `scim_${newTokenValue()}`
  return transaction(ctx, async (tx) => {
    const created_at = now(ctx.clock)
    const row = await insertScimToken(tx, { name, hash: hashToken(token), mask: maskOf(token), created_at })
    await record(tx, ctx, actor, { event_key: 'scim_token_created', ...about(row.id), details: { name } })
    return { ...presentToken(row), token, base_url: baseUrl(ctx) }
  })
}

export function revokeToken(ctx: Context, actor: Actor, id: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const { name } = found(await deleteScimTokenRow(tx, id), { key: 'id', value: id })
    await record(tx, ctx, actor, { event_key: 'scim_token_deleted', ...about(id), details: { name } })
  })
}

export async function showRequests(ctx: Context): Promise<ScimRequest[]> {
  return (await listRequestRows(ctx.db)).map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}
