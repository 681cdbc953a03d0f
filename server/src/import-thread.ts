import { workerData } from 'node:worker_threads'
import { runOrder } from './imports/carry-out.js'
import { openContext } from './open-context.js'
import { reachDatabase } from './operator/reach.js'
import { lowerPriorityOf } from './platform/db/lower.js'
import { fixedPrimary } from './platform/db/primary.js'
import { openLog } from './platform/log.js'
import { createPasswords } from './platform/passwords.js'
import { giveWay } from './platform/priority.js'
import type { ApartData } from './run-import-apart.js'

/** Carries out one order of an import, with connections of its own, and gives way to requests. */
const { config, job, clock_offset_ms } = workerData as ApartData
giveWay()
const reached = await reachDatabase(config)
const { ctx, close } = await openContext(
  { ...config, redis_url: null, pool_size: 3 },
  fixedPrimary(reached.url),
  { now: () => Date.now() + clock_offset_ms },
  await openLog({ level: config.log_level, format: config.log_format }),
  createPasswords(),
  // Only the server seals the audit log.
  async () => Buffer.alloc(0),
)
try {
  lowerPriorityOf(ctx.autocommit_pool)
  await runOrder(ctx, job)
} finally {
  await close()
  await reached.close()
}
