import { monotonicFactory, ulid } from 'ulid'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { ringAfterCommit } from '../platform/db/transaction.js'
import type { EventReader, RelayedEvent } from '../platform/events/relay.js'
import { followDeletions, followTexts } from './kept-texts.js'
import { domainOf } from './links.js'
import {
  insertDeliveries,
  insertQueued,
  type Listening,
  listHeardChats,
  listListeners,
  type NewDelivery,
} from './queries.js'
import { type Listener, wants } from './rules.js'
import { type BotEvent, linkEvents, toBotEvents } from './translate.js'

/** Bodies that are the same for every bot, as text. */
type Texts = Map<BotEvent, string>

/** The body for this bot as JSON text, or undefined where it is not for it. */
export function payloadFor(
  bot: Listener & Pick<Listening, 'unfurl_domains'>,
  botEvent: BotEvent,
  texts: Texts = new Map(),
): string | undefined {
  if (!wants(bot, botEvent)) return undefined
  const known = texts.get(botEvent)
  if (known) return known
  if (!botEvent.links) {
    const text = JSON.stringify(botEvent.payload(bot))
    if (botEvent.forAll) texts.set(botEvent, text)
    return text
  }
  const links = botEvent.links.flatMap((url) => {
    const domain = domainOf(url, bot.unfurl_domains)
    return domain ? [{ url, domain }] : []
  })
  return links.length > 0 ? JSON.stringify(botEvent.payload({ id: bot.id, links })) : undefined
}

type Made = NewDelivery & { bot: Listening }

interface InChat {
  chat_id: number
  root_chat_id: number
}

/** The chat of an event and the one that its thread hangs in, where bots of these hear of it. */
const chatsOf = ({ payload }: RelayedEvent): InChat | undefined =>
  'root_chat_id' in payload && 'chat_id' in payload ? (payload as InChat) : undefined

/** The events in the words of the contract, without those of chats in which no bot could hear them. */
async function heardEvents(tx: Tx, events: readonly RelayedEvent[], appUrl: string): Promise<BotEvent[]> {
  const asked = new Set<number>()
  let first: number | undefined
  for (const event of events) {
    const chats = chatsOf(event)
    if (!chats) continue
    asked.add(chats.chat_id)
    asked.add(chats.root_chat_id)
    first ??= event.position
  }
  if (first === undefined) return events.flatMap((event) => toBotEvents(event, appUrl))
  const { chats: heard, links } = await listHeardChats(tx, [...asked], first)
  return events.flatMap((event) => {
    const chats = chatsOf(event)
    if (!chats || heard.has(chats.chat_id) || heard.has(chats.root_chat_id)) return toBotEvents(event, appUrl)
    return links && event.type === 'message.created' ? linkEvents(event) : []
  })
}

/** What each address of each bot that listens gets of these events. */
export async function deliveriesOf(
  tx: Tx,
  ctx: Pick<Context, 'clock' | 'config'>,
  events: readonly RelayedEvent[],
  nextId: (time: number) => string = ulid,
): Promise<Made[]> {
  const all = await heardEvents(tx, events, ctx.config.app_url)
  if (all.length === 0) return []
  const created_at = now(ctx.clock)
  const texts: Texts = new Map()
  const made: Made[] = []
  for (const [place, listeners] of (await listListeners(tx, all)).entries()) {
    const botEvent = all[place] as BotEvent
    let last: Made | undefined
    for (const bot of listeners) {
      const payload = payloadFor(bot, botEvent, texts)
      if (!payload) continue
      last = {
        bot,
        bot_id: bot.id,
        endpoint_id: bot.endpoint_id,
        chat_id: botEvent.chat_id,
        // All addresses of a bot get the same id, so that what receives two of them can tell.
        event_id: last?.bot_id === bot.id ? last.event_id : nextId(created_at.getTime()),
        event_type: botEvent.event_type,
        message_id: botEvent.message_id ?? null,
        position: botEvent.position,
        payload,
        created_at,
      }
      made.push(last)
    }
  }
  return made
}

/**
 * Turns events into deliveries and queue entries, in the transaction that places the events: one query finds who
 * listens, one writes the deliveries and their lanes, one the queue, however many events and bots there are.
 */
export function fanOut(ctx: Context): EventReader {
  const nextId = monotonicFactory()
  return async (tx, events) => {
    await followTexts(tx, events)
    const made = await deliveriesOf(tx, ctx, events, nextId)
    const queued = made.filter(({ bot }) => bot.events_history_enabled)
    const sent = made.filter(({ bot }) => bot.sends)
    if (queued.length > 0) {
      await followDeletions(tx, queued)
      await insertQueued(tx, queued)
    }
    if (sent.length === 0) return
    await insertDeliveries(tx, sent)
    ringAfterCommit(tx, 'deliveries')
  }
}
