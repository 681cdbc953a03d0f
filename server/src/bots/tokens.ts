import type { BotToken, BotTokenRequest, BotTokenUpdateRequest, TokenLimits } from '@parley/contract'
import { ensureHandsOut, readNewLimits } from '../oauth/limits.js'
import { deleteToken, updateToken } from '../oauth/queries.js'
import { tokenChange } from '../oauth/token-change.js'
import { issueToken, reissueToken } from '../oauth/tokens.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { found, Problem } from '../platform/problem.js'
import { auditOf, scopesChange } from './audit.js'
import { type LoadedBot, loadManaged } from './load.js'
import { presentBotToken } from './present.js'
import { type BotRow, findBotToken, findMainToken } from './queries.js'
import { unassignable } from './scopes.js'

function checkToken({ name, scopes = [] }: { name?: string; scopes?: string[] }) {
  const refused = unassignable(scopes)
  if (refused.length > 0)
    throw new Problem(400, 'inclusion', {
      key: 'scopes',
      value: refused,
      message: 'are scopes that no bot may hold',
    })
  if (name !== undefined && name.trim() === '')
    throw new Problem(422, 'blank', { key: 'name', value: name, message: BLANK })
}

export async function issueBotToken(
  ctx: Context,
  actor: Actor,
  botId: number,
  { name, scopes = [], limits: given }: BotTokenRequest,
): Promise<BotToken> {
  await loadManaged(ctx.db, actor, botId, 'create_token')
  checkToken({ name, scopes })
  const limits = readNewLimits(ctx, given)
  ensureHandsOut(actor, limits)
  return transaction(ctx, async (tx) => {
    const token = { user_id: botId, kind: 'bot' as const, name, scopes: [...new Set(scopes)], limits }
    const row = await issueToken(tx, ctx, token)
    await record(tx, ctx, actor, auditOf(actor, botId, 'bot_token_created'))
    return presentBotToken(row, row.value)
  })
}

async function loadToken(tx: Tx, actor: Actor, ids: { id: number; token_id: number }, act: string) {
  await loadManaged(tx, actor, ids.id, act)
  return found(await findBotToken(tx, ids.id, ids.token_id), { key: 'token_id', value: ids.token_id })
}

/** Name, scopes and limits, which hold from the next call on; nothing changed leaves no trace. */
export async function updateBotToken(
  ctx: Context,
  actor: Actor,
  ids: { id: number; token_id: number },
  input: BotTokenUpdateRequest,
): Promise<BotToken> {
  return transaction(ctx, async (tx) => {
    const before = await loadToken(tx, actor, ids, 'update_token')
    checkToken(input)
    const change = tokenChange(before, input)
    if (!change) return presentBotToken(before)
    const after = await updateToken(tx, before.id, change)
    const moved = scopesChange(before.scopes, after.scopes)
    await record(tx, ctx, actor, [
      auditOf(actor, ids.id, 'bot_token_updated'),
      ...(moved ? [auditOf(actor, ids.id, 'bot_scopes_updated', moved)] : []),
    ])
    return presentBotToken(after)
  })
}

export function revokeBotToken(
  ctx: Context,
  actor: Actor,
  ids: { id: number; token_id: number },
): Promise<void> {
  return transaction(ctx, async (tx) => {
    const { id: entity_id, scopes } = await loadToken(tx, actor, ids, 'destroy_token')
    await deleteToken(tx, entity_id)
    const entry = { event_key: 'access_token_destroy', entity_type: 'AccessToken', entity_id }
    await record(tx, ctx, actor, { ...entry, details: { scopes } })
  })
}

export function reissueBotToken(
  ctx: Context,
  actor: Actor,
  ids: { id: number; token_id: number },
): Promise<BotToken> {
  return transaction(ctx, async (tx) => {
    const { id, limits } = await loadToken(tx, actor, ids, 'reissue_token')
    ensureHandsOut(actor, limits as TokenLimits | null)
    const row = await reissueToken(tx, id)
    await record(tx, ctx, actor, auditOf(actor, ids.id, 'bot_token_reissued'))
    return presentBotToken(row, row.value)
  })
}

/** A new value for the main token: the unnamed one, else the oldest. */
export function rotateBotToken(
  ctx: Context,
  actor: Actor,
  botId: number,
): Promise<LoadedBot & { access_token: string }> {
  return transaction(ctx, async (tx) => {
    const bot = await loadManaged(tx, actor, botId, 'recreate_token')
    const main = found(await findMainToken(tx, botId), {
      key: 'token',
      message: 'the bot has no token: make one',
    })
    ensureHandsOut(actor, main.limits as TokenLimits | null)
    const { value } = await reissueToken(tx, main.id)
    await record(tx, ctx, actor, auditOf(actor, botId, 'bot_token_recreated'))
    return { ...bot, access_token: value }
  })
}

/** A bot renews the very token that it calls with. */
export function rotateOwnToken(ctx: Context, actor: Actor, find: (tx: Tx) => Promise<BotRow | undefined>) {
  return transaction(ctx, async (tx) => {
    const row = found(await find(tx))
    const { value } = await reissueToken(tx, actor.token_id as number)
    await record(tx, ctx, actor, auditOf(actor, actor.user_id, 'bot_token_recreated'))
    return { row, access_token: value }
  })
}
