import type { BodyOf, Message, PublishedBot, sendSampleMessage as sample } from '@parley/contract'
import { presentMessages } from '../messages/message-sql.js'
import { postMessage } from '../messages/post.js'
import { type Actor, actingFor } from '../platform/actor.js'
import type { Config } from '../platform/config.js'
import type { Context } from '../platform/context.js'
import { avatarUrl } from '../users/present.js'
import { loadManaged } from './load.js'
import { presentPromo } from './promo.js'
import type { Promo, PublishedRow } from './queries.js'

/** The bot as the sender, for somebody who manages it and could call with its token as well. */
export async function loadAsSender(ctx: Context, actor: Actor, botId: number, act: string): Promise<Actor> {
  const { row } = await loadManaged(ctx.db, actor, botId, act)
  const { ip_address, user_agent, plan } = actor
  return { ...actingFor(row.user_id, 'bot', plan), ip_address, user_agent }
}

export async function sendSampleMessage(
  ctx: Context,
  actor: Actor,
  botId: number,
  { message }: BodyOf<typeof sample>,
): Promise<Message> {
  const bot = await loadAsSender(ctx, actor, botId, 'send_sample')
  const sent = await postMessage(ctx, bot, { ...message, entity_type: 'user', entity_id: actor.user_id })
  const [seen] = await presentMessages(ctx, actor.user_id, [sent.id])
  return seen as Message
}

export function presentPublished(config: Config, row: PublishedRow): PublishedBot {
  const promo = presentPromo(config, row.user_id, row.promo as Promo)
  return {
    id: row.user_id,
    name: row.name,
    nickname: row.nickname,
    avatar_url: avatarUrl(config.public_url, row.image_key),
    description: promo?.description ?? '',
    promo_images: promo?.promo_images.map(({ url }) => url) ?? [],
    commands: row.commands,
  }
}
