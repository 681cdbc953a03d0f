import { isDeepStrictEqual } from 'node:util'
import { type BotResponse, BotUpdateRequest, botUpdated, type TokenLimits } from '@parley/contract'
import type { OAuthClient } from '../oauth/client-queries.js'
import { narrowsChats } from '../oauth/limits.js'
import { updateToken } from '../oauth/queries.js'
import type { Actor } from '../platform/actor.js'
import { type AuditRecord, record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { ensureUnconfined } from '../platform/http/leash.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { updateUser } from '../users/queries.js'
import { auditOf, scopesChange } from './audit.js'
import { readDocument } from './client-document.js'
import { emitBotEvent } from './emit.js'
import { loadEditable } from './load.js'
import { presentBot, presentOauthClient } from './present.js'
import {
  type BotRow,
  findBotFor,
  findMainToken,
  listEditorIds,
  lockBot,
  type Promo,
  updateBotRow,
} from './queries.js'
import type { BotReactions } from './reactions.js'
import { accessOf, type BotChange, mayChange } from './rules.js'
import { newInboundKey } from './secrets.js'
import { type BotSettings, checkSettings, tidied } from './settings.js'
import { changeSignIn } from './sign-in.js'

/** Every setting but the one that only a new bot takes. */
type Field = Exclude<keyof BotSettings, 'single_chat'>
const FIELDS = Object.keys(BotUpdateRequest.properties.webhook.properties).filter(
  (name): name is Field => name !== 'single_chat',
)
/** Columns of the bot's own row; name, nickname and scopes live elsewhere. */
const ELSEWHERE: readonly string[] = ['name', 'nickname', 'scopes']
const COLUMNS = FIELDS.filter((name) => !ELSEWHERE.includes(name))

/** Settings whose changes the audit log records, with both values. */
const AUDITED = [
  'outgoing_url',
  'ignore_self_messages',
  'events_history_enabled',
  'can_edit',
  'who_can_add',
] as const

type Changes = Partial<Record<Field, unknown>>

/** Only what differs from now; a list counts as a set where its order says nothing. */
function changesOf(row: BotRow, settings: BotSettings): Changes {
  const sorted = (value: unknown) => (Array.isArray(value) ? [...value].sort() : value)
  const changed = FIELDS.filter(
    (field) =>
      settings[field] !== undefined && !isDeepStrictEqual(sorted(settings[field]), sorted(row[field])),
  )
  return Object.fromEntries(changed.map((field) => [field, settings[field]]))
}

/** Whether a part of the body is what the bot shows: every member that was passed. */
function isShown(given: object | null, shown: object | null): boolean {
  if (!given || !shown) return given === shown
  return Object.entries(given).every(([name, value]) =>
    isDeepStrictEqual(value, (shown as Record<string, unknown>)[name]),
  )
}

/** The body without sign-in and page where both are sent back as they were read: chat owners do not change them, but see them. */
function withoutShown(row: BotRow, input: BotUpdateRequest): BotUpdateRequest {
  const { oauth_client, promo, ...rest } = input
  const client = presentOauthClient(row)
  const page = client && (row.promo as Promo | null)
  return {
    ...rest,
    ...(oauth_client !== undefined && !isShown(oauth_client, client) && { oauth_client }),
    ...(promo !== undefined && !isShown(promo, page) && { promo }),
  }
}

function describe(row: BotRow, changes: Changes, input: BotUpdateRequest): BotChange {
  const hears = (events: unknown) =>
    (events as string[] | undefined)?.includes('message_link_shared') ?? false
  const signIn = (['oauth_client', 'promo'] as const).filter((field) => input[field] !== undefined)
  return {
    fields: [...Object.keys(changes), ...signIn],
    hears_links: hears(row.events) || hears(changes.events),
    starts_hearing_links: !hears(row.events) && hears(changes.events),
  }
}

/**
 * Changes the settings that are passed. The bot is read, then locked: if somebody else changed it
 * in between, the call is refused, since the change was made for an older version of the bot.
 */
export async function updateBot(
  ctx: Context,
  actor: Actor,
  reactions: BotReactions,
  botId: number,
  given: BotUpdateRequest,
): Promise<BotResponse & { client_secret?: string }> {
  const { row, access } = await loadEditable(ctx.db, actor, botId, 'update')
  const input = withoutShown(row, given)
  const settings = tidied(input.webhook)
  const changes = changesOf(row, settings)
  ensure(mayChange(actor, access, describe(row, changes, input)), 'update', { type: 'Bot', id: botId })
  await checkSettings(ctx, settings, 422)
  const document = await readDocument(ctx, input, 422, row.oauth_client as OAuthClient | null)
  const { oauth_client, promo } = input
  if (Object.keys(changes).length === 0 && oauth_client === undefined && promo === undefined)
    return presentBot(ctx, row, access)
  return transaction(ctx, async (tx) => {
    const held = found(await lockBot(tx, botId), { key: 'id', value: botId })
    if (held.version !== row.version)
      throw new Problem(409, 'bot_changed_concurrently', { key: 'id', value: botId })
    const editors = await listEditorIds(tx, botId)
    await write(tx, ctx, actor, row, changes)
    await react(tx, ctx, reactions, botId, changes)
    const secret = await changeSignIn(tx, ctx, actor, botId, {
      ...(oauth_client !== undefined && { oauth_client }),
      ...(promo !== undefined && { promo }),
      document,
    })
    await emitBotEvent(tx, ctx, actor, botUpdated, botId, editors)
    const after = (await findBotFor(tx, actor, botId)) as BotRow
    return { ...presentBot(ctx, after, accessOf(actor, after)), ...secret }
  })
}

async function write(tx: Tx, ctx: Context, actor: Actor, row: BotRow, changes: Changes) {
  await writeName(tx, row.user_id, changes)
  const columns = Object.fromEntries(
    COLUMNS.filter((name) => name in changes).map((name) => [name, changes[name]]),
  )
  await updateBotRow(tx, row.user_id, { ...columns, ...inboundOf(row, changes) })
  if (changes.scopes) await writeScopes(tx, row, changes.scopes as string[])
  await record(tx, ctx, actor, audited(actor, row, changes))
}

async function writeName(tx: Tx, userId: number, { name, nickname }: Changes) {
  if (name === undefined && nickname === undefined) return
  const change = {
    ...(name !== undefined && { first_name: name as string }),
    ...(nickname !== undefined && { nickname: nickname as string }),
  }
  try {
    await updateUser(tx, userId, change)
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'users_nickname') throw error
    throw new Problem(422, 'already_exists', {
      key: 'nickname',
      value: nickname,
      message: 'somebody else has this nickname: choose another',
    })
  }
}

/** Every time the inbound webhook is turned on it gets a new address. */
function inboundOf(row: BotRow, { kind }: Changes) {
  if (kind === undefined) return {}
  if (kind === null) return { inbound_key: null }
  return row.inbound_key === null ? { inbound_key: newInboundKey() } : {}
}

async function react(
  tx: Tx,
  ctx: Context,
  reactions: BotReactions,
  botId: number,
  { outgoing_url }: Changes,
) {
  if (outgoing_url !== undefined) await reactions.urlChanged(tx, ctx, botId, outgoing_url as string)
}

async function writeScopes(tx: Tx, row: BotRow, scopes: string[]) {
  const main = found(await findMainToken(tx, row.user_id), { key: 'scopes' })
  await updateToken(tx, main.id, { scopes })
}

function audited(actor: Actor, row: BotRow, changes: Changes): AuditRecord[] {
  const told = AUDITED.filter((field) => field in changes)
  const settings = Object.fromEntries(
    told.map((field) => [field, { previous: row[field], new: changes[field] }]),
  )
  const scopes = changes.scopes ? scopesChange(row.scopes, changes.scopes as string[]) : undefined
  return [
    ...(told.length > 0
      ? [auditOf(actor, row.user_id, 'bot_webhook_settings_updated', { changes: settings })]
      : []),
    ...(scopes ? [auditOf(actor, row.user_id, 'bot_scopes_updated', scopes)] : []),
  ]
}

/** A token with limits on chats does not send what other tokens of the bot let it hear to another address. */
function ensureHearsNoOthers(ctx: Context, { limits }: Actor, { leash }: BotRow) {
  const heard = (leash ?? [null]) as (TokenLimits | null)[]
  if (limits && !heard.every((other) => narrowsChats(limits, other)))
    ensureUnconfined(ctx, 'the address of a bot with other tokens')
}

/** A bot sets its own address. One that hears of links everywhere may not: an admin chose where they go. */
export async function setOwnWebhook(
  ctx: Context,
  actor: Actor,
  reactions: BotReactions,
  url: string,
): Promise<BotRow> {
  await checkSettings(ctx, { outgoing_url: url }, 422)
  return transaction(ctx, async (tx) => {
    found(await lockBot(tx, actor.user_id))
    const row = found(await findBotFor(tx, actor, actor.user_id))
    const hears_links = row.events.includes('message_link_shared')
    if (hears_links)
      throw new Problem(403, 'not_authorized', { key: 'outgoing_url', value: url, rule: 'bot.links' })
    const changes = changesOf(row, { outgoing_url: url })
    if (Object.keys(changes).length > 0) {
      ensureHearsNoOthers(ctx, actor, row)
      await write(tx, ctx, actor, row, changes)
      await react(tx, ctx, reactions, actor.user_id, changes)
      await emitBotEvent(tx, ctx, actor, botUpdated, actor.user_id)
    }
    return found(await findBotFor(tx, actor, actor.user_id))
  })
}
