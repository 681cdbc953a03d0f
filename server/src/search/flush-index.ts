import type { Context } from '../platform/context.js'
import { loop, type Worker } from '../platform/worker.js'
import { flushPendingList } from './message-queries.js'
import { closeSegments } from './segment-queries.js'

const EVERY_MS = 1000
const AT_LEAST_EVERY_MS = 4000
/** Fewer pages than this, about 400 messages, are flushed after a second: it costs little, and searches find a short list. */
const FEW_PAGES = 32
/** About 4500 messages. They cost half of what they cost in flushes of a thousand each, and a search reads so many in 2 to 3 ms. */
const PAGES = 384

/** How long to rest so that the pages of a flush come together, if they come as fast as the last ones did. */
export function restBefore(pages: number, rested_ms: number): number {
  if (pages * (EVERY_MS / rested_ms) < FEW_PAGES) return EVERY_MS
  return Math.min(Math.max(EVERY_MS, Math.round((rested_ms * PAGES) / pages)), AT_LEAST_EVERY_MS)
}

/**
 * Flushes the GIN pending list, so that neither writers nor searches wait for a long one, and notes the times of the segments that are
 * full: each second, or when enough was written, since a word that many messages have is then looked up once for all of them.
 */
export function startIndexFlush(ctx: Context): Worker {
  let rested_ms = EVERY_MS
  let pages = 0
  return loop({
    name: 'search',
    every_ms: EVERY_MS,
    wake: () => () => {},
    onError: (error) => ctx.log.warn({ err: error }, 'flushing the search index failed; retrying in 1 s'),
    async step() {
      pages = await flushPendingList(ctx.autocommit)
      return pages + (await closeSegments(ctx.autocommit))
    },
    rest() {
      rested_ms = restBefore(pages, rested_ms)
      return rested_ms
    },
  })
}
