import type { Context } from '../platform/context.js'
import type { Worker } from '../platform/worker.js'

export function startSealing(_ctx: Context): Worker {
  return { name: 'sealing', start() {}, async stop() {}, drain: async () => 0 }
}
