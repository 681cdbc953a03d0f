import type { Context } from '../platform/context.js'
import { loop, type Worker } from '../platform/worker.js'
import { settleIndex } from './message-queries.js'

const EVERY_MS = 1000

/** Keeps the list of what the index has not taken in yet short, so that neither writers nor searches wait for it. */
export function startSettlingIndex(ctx: Context): Worker {
  return loop({
    name: 'search',
    every_ms: EVERY_MS,
    wake: () => () => {},
    onError: (error) => ctx.log.warn({ err: error }, 'flushing the search index failed; retrying in 1 s'),
    step: () => settleIndex(ctx.autocommit),
    rest: () => EVERY_MS,
  })
}
