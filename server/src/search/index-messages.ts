import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { loop, type Worker } from '../platform/worker.js'
import { indexWaiting } from './message-queries.js'

/** Moves messages from the queue into the index, batch by batch, away from those who write them. */
export function startIndexing(ctx: Context): Worker {
  return loop({
    name: 'search',
    every_ms: 1000,
    wake: (listener) => ctx.bell.on('events', listener),
    onError: (error) => ctx.log.warn({ err: error }, 'indexing stumbled'),
    step: () => transaction(ctx, indexWaiting),
    // Words cost more than all else about a message; searches look through what waits by themselves.
    rest: (took_ms) => 2 * took_ms,
  })
}
