import type { Context } from '../platform/context.js'
import { loop, type Worker } from '../platform/worker.js'
import { flushPendingList } from './message-queries.js'
import { closeSegments } from './segment-queries.js'

const EVERY_MS = 1000

/**
 * Flushes the GIN pending list every second, so that neither writers nor searches wait for a long one, and notes the times
 * of the segments that are full.
 */
export function startIndexFlush(ctx: Context): Worker {
  return loop({
    name: 'search',
    every_ms: EVERY_MS,
    wake: () => () => {},
    onError: (error) => ctx.log.warn({ err: error }, 'flushing the search index failed; retrying in 1 s'),
    step: async () => (await flushPendingList(ctx.autocommit)) + (await closeSegments(ctx.autocommit)),
    rest: () => EVERY_MS,
  })
}
