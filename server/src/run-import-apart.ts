import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ImportJob } from './imports/jobs.js'
import type { Config } from './platform/config.js'
import type { Context } from './platform/context.js'

/** What the thread is given. */
export interface ApartData {
  config: Config
  job: ImportJob
  clock_offset_ms: number
}

/** Twice what an import of two million messages takes. */
const MEMORY_MB = 1024

/**
 * Carries out an order of an import in a thread of its own: rendering texts and reading archives would hold requests up on the
 * event loop. A failure of the thread is one of the job, which is tried again.
 */
export async function runImportApart({ config, clock }: Pick<Context, 'config' | 'clock'>, job: ImportJob) {
  const clock_offset_ms = clock.now() - Date.now()
  const workerData: ApartData = { config, job, clock_offset_ms }
  const thread = new Worker(new URL('./import-thread.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  thread.unref()
  const [code] = await once(thread, 'exit')
  if (code !== 0) throw new Error(`the thread of the import ended with ${code}`)
}
