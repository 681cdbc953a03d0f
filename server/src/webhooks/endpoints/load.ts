import { loadEditable, loadManaged } from '../../bots/load.js'
import { type BotRow, findBotFor } from '../../bots/queries.js'
import { mayChangeLinks } from '../../bots/rules.js'
import type { Actor } from '../../platform/actor.js'
import type { Db } from '../../platform/db/index.js'
import { ensure, found, Problem } from '../../platform/problem.js'
import { type EndpointRow, findEndpointRow } from './queries.js'

/** The bot whose endpoints are meant; `own` where it calls itself. */
export interface Whose {
  bot_id: number
  own: boolean
}

/** The bot for somebody who may edit it, or for itself. */
export async function loadBot(db: Db, actor: Actor, { bot_id, own }: Whose, act: string): Promise<BotRow> {
  if (own) return found(await findBotFor(db, actor, bot_id), { key: 'id', value: bot_id })
  return (await loadEditable(db, actor, bot_id, act)).row
}

/** The bot for somebody who may have its secrets, or for itself. */
export async function loadSecretive(db: Db, actor: Actor, whose: Whose, act: string): Promise<BotRow> {
  return whose.own ? loadBot(db, actor, whose, act) : (await loadManaged(db, actor, whose.bot_id, act)).row
}

export async function loadEndpoint(db: Db, botId: number, endpoint_id: number): Promise<EndpointRow> {
  return found(await findEndpointRow(db, botId, endpoint_id), { key: 'endpoint_id', value: endpoint_id })
}

const hearsLinks = (events: readonly string[]) => events.includes('message_link_shared')

/** An endpoint that hears of links sees into every chat, so it is for admins to make and to aim it, and not for the bot. */
export function ensureLinks(
  actor: Actor,
  { bot_id, own }: Whose,
  before: readonly string[],
  after: readonly string[],
  aimed: boolean,
) {
  const hears_links = hearsLinks(before) || hearsLinks(after)
  if (own && hears_links) throw new Problem(403, 'not_authorized', { key: 'events', rule: 'bot.links' })
  const starts_hearing_links = !hearsLinks(before) && hearsLinks(after)
  const change = { fields: aimed ? ['outgoing_url'] : [], hears_links, starts_hearing_links }
  ensure(mayChangeLinks(actor, change), 'update', { type: 'Bot', id: bot_id })
}
