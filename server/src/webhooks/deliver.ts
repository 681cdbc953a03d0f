import type { Context } from '../platform/context.js'
import type { Worker } from '../platform/worker.js'

export function startDeliveries(_ctx: Context): Worker {
  return { name: 'deliveries', start() {}, async stop() {}, drain: async () => 0 }
}
