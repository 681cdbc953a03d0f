import type { OwnSession } from '@parley/contract'
import Bowser from 'bowser'
import { deleteSessions, listSessionsOf, type TokenRow } from '../oauth/queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { loadPage, type PageQuery, readPaging } from '../platform/http/page.js'
import { Problem } from '../platform/problem.js'

/** Browser and system in a few words; null where the header names neither. */
export function deviceOf(userAgent: string | null): string | null {
  if (!userAgent) return null
  const { browser, os } = Bowser.parse(userAgent)
  const known = [browser.name, os.name].filter((name) => name)
  return known.length === 0 ? null : known.join(' on ')
}

function presentSession(actor: Actor, row: TokenRow): OwnSession {
  return {
    id: row.id,
    device: deviceOf(row.user_agent),
    address: row.ip_address,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    current: row.id === actor.token_id,
  }
}

export async function listSessions(ctx: Context, actor: Actor, list: string, query: PageQuery) {
  const paging = readPaging(query, { list, secret: ctx.secret, limit: 50 })
  const { data, meta } = await loadPage(
    paging,
    (part) => listSessionsOf(ctx.db, actor.user_id, now(ctx.clock), part),
    ({ id }) => ({ id }),
  )
  return { data: data.map((row) => presentSession(actor, row)), meta }
}

async function recordEnds(tx: Tx, ctx: Context, actor: Actor, ended: readonly TokenRow[]) {
  const entity = { entity_type: 'User', entity_id: actor.user_id }
  for (const _ of ended) await record(tx, ctx, actor, { event_key: 'user_logout', ...entity })
}

export function endSession(ctx: Context, actor: Actor, tokenId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const ended = await deleteSessions(tx, actor.user_id, { only: tokenId })
    if (ended.length === 0) throw new Problem(404, 'not_found', { key: 'id', value: tokenId })
    await recordEnds(tx, ctx, actor, ended)
  })
}

export function endOtherSessions(ctx: Context, actor: Actor): Promise<void> {
  return transaction(ctx, async (tx) => {
    await recordEnds(tx, ctx, actor, await deleteSessions(tx, actor.user_id, { but: actor.token_id }))
  })
}
