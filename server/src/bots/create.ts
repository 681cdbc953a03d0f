import { BotCreateRequest, type BotResponse, botCreated } from '@parley/contract'
import { issueToken } from '../oauth/tokens.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { ensure, Problem } from '../platform/problem.js'
import { isNicknameTaken } from '../users/queries.js'
import { auditOf } from './audit.js'
import { readDocument } from './client-document.js'
import { emitBotEvent } from './emit.js'
import { presentBot } from './present.js'
import { type BotRow, findBotFor, findIntegrationsRule, insertBotRow, insertBotUser } from './queries.js'
import { mayChangeLinks, mayCreateBot } from './rules.js'
import { BOT_SCOPES } from './scopes.js'
import { newInboundKey, newSigningSecret } from './secrets.js'
import { checkSettings, tidied } from './settings.js'
import { changeSignIn } from './sign-in.js'

type Made = BotResponse & { access_token?: string; client_secret?: string }

/** Pictures of the page may come as they were read, with their addresses. */
function withImageKeys(body: unknown, note: (name: string) => void): unknown {
  const { promo } = body as { promo?: { promo_images?: unknown } | null }
  const images = promo?.promo_images
  if (!Array.isArray(images) || !images.some((one) => typeof one?.key === 'string')) return body
  note('promo.promo_images')
  const promo_images = images.map((one) => one?.key ?? one)
  return { ...(body as object), promo: { ...promo, promo_images } }
}

/** The older spellings: everything inside `bot`, with or without a `webhook` in it. */
function unwrapped(body: unknown, note: (name: string) => void): unknown {
  const { bot, ...rest } = body as { bot?: unknown; webhook?: unknown }
  if (typeof bot !== 'object' || bot === null || Array.isArray(bot) || rest.webhook !== undefined) return body
  note('bot')
  if ('webhook' in bot) return { ...rest, ...bot }
  return { ...rest, webhook: bot }
}

/** Also reads older spellings, and what was read of a bot. */
export function reshapeBot(body: unknown, note: (name: string) => void): unknown {
  return withImageKeys(unwrapped(body, note), note)
}

/** A new bot of the caller's, in no chat yet; its token is in this answer and never again. */
export async function createBot(ctx: Context, actor: Actor, input: BotCreateRequest): Promise<Made> {
  ensure(mayCreateBot(actor, await findIntegrationsRule(ctx.db)), 'create', { type: 'Bot', id: 0 })
  const webhook = tidied(input.webhook) as BotCreateRequest['webhook']
  const hears_links = webhook.events?.includes('message_link_shared') ?? false
  const aims = (webhook.unfurl_domains ?? []).length > 0
  const change = { fields: aims ? ['unfurl_domains'] : [], hears_links, starts_hearing_links: hears_links }
  ensure(mayChangeLinks(actor, change), 'create', { type: 'Bot', id: 0 })
  await checkSettings(ctx, webhook, 400)
  const document = await readDocument(ctx, input, 400)
  return transaction(ctx, async (tx) => {
    const id = await insertBot(tx, ctx, actor, { ...input, webhook })
    const token = input.empty ? undefined : await issueFirstToken(tx, ctx, actor, id, webhook.scopes)
    const { oauth_client, promo } = input
    const signIn = {
      ...(oauth_client !== undefined && { oauth_client }),
      ...(promo !== undefined && { promo }),
      document,
    }
    const secret = await changeSignIn(tx, ctx, actor, id, signIn, 400)
    await emitBotEvent(tx, ctx, actor, botCreated, id)
    const row = (await findBotFor(tx, actor, id)) as BotRow
    return { ...presentBot(ctx, row, 'full'), ...(token && { access_token: token }), ...secret }
  })
}

const nicknamesOf = async (name: string) => (await import('./make-nicknames.js')).nicknamesFor(name)

async function insertUser(tx: Tx, ctx: Context, { name, nickname }: BotCreateRequest['webhook']) {
  const created_at = now(ctx.clock)
  for (const candidate of nickname === undefined ? await nicknamesOf(name) : [nickname]) {
    // Asked first, because an insert that finds the nickname taken uses up an id.
    if (await isNicknameTaken(tx, candidate, 0)) continue
    const id = await insertBotUser(tx, { name, nickname: candidate, created_at })
    if (id !== undefined) return id
  }
  throw new Problem(400, 'already_exists', {
    key: 'nickname',
    value: nickname,
    message: 'somebody else has this nickname: choose another',
  })
}

async function insertBot(tx: Tx, ctx: Context, actor: Actor, input: BotCreateRequest): Promise<number> {
  const { name: _name, nickname: _nickname, scopes: _scopes, kind: asked, ...settings } = known(input.webhook)
  const user_id = await insertUser(tx, ctx, input.webhook)
  const kind = asked === undefined ? (input.empty ? null : 'simple') : asked
  await insertBotRow(tx, {
    ...settings,
    user_id,
    creator_id: actor.user_id,
    kind,
    inbound_key: kind === null ? null : newInboundKey(),
    signing_secret: newSigningSecret(),
  })
  return user_id
}

/** The settings that the contract names; other fields of the body stay out of the statement. */
function known(webhook: BotCreateRequest['webhook']): BotCreateRequest['webhook'] {
  const { name, ...rest } = webhook
  const entries = Object.entries(rest).filter(([key, value]) => FIELDS.has(key) && value !== undefined)
  return { name, ...Object.fromEntries(entries) }
}

const FIELDS: ReadonlySet<string> = new Set(Object.keys(BotCreateRequest.properties.webhook.properties))

async function issueFirstToken(tx: Tx, ctx: Context, actor: Actor, bot_id: number, scopes?: string[]) {
  const limits = actor.limits ?? null
  const token = { user_id: bot_id, kind: 'bot' as const, scopes: scopes ?? BOT_SCOPES, limits }
  const { value } = await issueToken(tx, ctx, token)
  await record(tx, ctx, actor, auditOf(actor, bot_id, 'bot_token_created'))
  return value
}
