/** A hot path: the cards that are asked for at once are read by one statement. */
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { microBatch } from '../platform/db/batch.js'
import { type AskedCard, findCardTexts, listCardTexts } from './card-queries.js'
import { viewerOf, withStatus } from './present.js'
import { seenBy } from './queries.js'

export interface CardReader {
  /** The card of a person as JSON, as the actor sees it; undefined of those who are deleted, unknown or out of sight. */
  read(actor: Actor, id: number): Promise<string | undefined>
}

type Reading = Pick<Context, 'db' | 'clock' | 'config' | 'hot_pool'>

export function createCardReader({ db, clock, config, hot_pool }: Reading): CardReader {
  const cardOf = microBatch<AskedCard, string | undefined>(
    (asked) => findCardTexts(hot_pool, config.public_url, asked),
    { max: 100, inFlight: 2 },
  )
  /** Whom a guest sees depends on chats. */
  async function cardForGuest(actor: Actor, id: number) {
    const [card] = await listCardTexts(db, viewerOf(actor), config.public_url, [id], seenBy(actor))
    return card?.json
  }
  return {
    async read(actor, asked_id) {
      const viewer = viewerOf(actor)
      const json = await (viewer.guest ? cardForGuest(actor, asked_id) : cardOf({ ...viewer, asked_id }))
      return json && withStatus(json, now(clock))
    },
  }
}
