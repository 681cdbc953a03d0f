import type { BotOAuthClient, BotResponse, BotToken, BotWebhook, CompanyBot } from '@parley/contract'
import type { Selectable } from 'kysely'
import type { OAuthClient } from '../oauth/client-queries.js'
import { presentToken } from '../oauth/present.js'
import type { Context } from '../platform/context.js'
import type { DB } from '../platform/db/index.js'
import { avatarUrl } from '../users/present.js'
import { presentPromo } from './promo.js'
import type { BotRow, Promo } from './queries.js'
import type { Access } from './rules.js'

/** The fields of the first edition, which a bot gets of itself. */
function presentSettings(row: BotRow): BotWebhook {
  return {
    name: row.name,
    nickname: row.nickname,
    outgoing_url: row.outgoing_url,
    events: row.events as BotWebhook['events'],
    trigger_on: row.trigger_on as BotWebhook['trigger_on'],
    commands: row.commands,
    scopes: row.scopes,
    template: row.template,
    template_engine: row.template_engine as BotWebhook['template_engine'],
    challenge_key: row.challenge_key,
    link_preview_enabled: row.link_preview_enabled,
    ignore_self_messages: row.ignore_self_messages,
    events_history_enabled: row.events_history_enabled,
    single_chat: row.single_chat,
    can_edit: row.can_edit as BotWebhook['can_edit'],
    who_can_add: row.who_can_add as BotWebhook['who_can_add'],
  }
}

type Shown = Pick<Context, 'config' | 'confined'>

/** The inbound address posts into every chat of the bot, and the last request says what: not for tokens with limits on chats. */
function presentWebhook({ config, confined }: Shown, row: BotRow, access: Access): BotWebhook {
  const inbound_url = row.inbound_key && `${config.public_url}/webhooks/${row.inbound_key}`
  return {
    ...presentSettings(row),
    kind: row.kind as BotWebhook['kind'] & {},
    unfurl_domains: row.unfurl_domains,
    last_request_at: row.last_request_at?.toISOString() ?? null,
    last_request: confined ? null : row.last_request,
    paused_at: row.paused_at?.toISOString() ?? null,
    ...(access === 'full' && !confined && { inbound_url }),
  }
}

export function presentOauthClient({ oauth_client }: BotRow): BotOAuthClient | null {
  const client = oauth_client as OAuthClient | null
  if (!client?.enabled) return null
  const { client_id, secret_mask, confidential, redirect_uris, scopes } = client
  return { client_id, client_secret_preview: secret_mask, confidential, redirect_uris, scopes }
}

/** A bot as its editors see it; secrets are for those who manage its tokens. */
export function presentBot(ctx: Shown, row: BotRow, access: Access): BotResponse {
  const { config } = ctx
  const manages = access === 'full'
  const oauth_client = presentOauthClient(row)
  return {
    id: row.user_id,
    webhook: presentWebhook(ctx, row, access),
    name: row.name,
    nickname: row.nickname,
    avatar_url: avatarUrl(config.public_url, row.image_key),
    creator_id: row.creator_id,
    created_at: row.created_at.toISOString(),
    authorized_users_count: row.authorized_users_count,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    oauth_client_enabled: oauth_client !== null,
    oauth_client,
    promo: presentPromo(config, row.user_id, row.promo as Promo | null),
    permissions: { update_oauth_client: manages, recreate_token: manages, destroy: manages },
    ...(manages && { signing_secret: row.signing_secret }),
  }
}

/** What a bot sees of itself. */
export function presentOwn(row: BotRow): BotResponse {
  return { id: row.user_id, webhook: presentSettings(row), oauth_client: presentOauthClient(row) }
}

/** A bot in the list of the workspace: of those that the owner may not edit, the name alone. */
export function presentCompanyBot(ctx: Shown, row: BotRow, access: Access): CompanyBot {
  if (access !== 'none') return presentBot(ctx, row, access)
  const settings = Object.keys(presentWebhook(ctx, row, access)).map((name) => [name, null])
  const { name, nickname } = row
  const webhook = { ...Object.fromEntries(settings), name, nickname } as CompanyBot['webhook']
  return { id: row.user_id, webhook, name, nickname, oauth_client: null } as CompanyBot
}

export function presentBotToken(row: Selectable<DB['tokens']>, value?: string): BotToken {
  return { ...presentToken(row), token: value ?? row.mask }
}
