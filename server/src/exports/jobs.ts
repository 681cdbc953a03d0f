import type { Context } from '../platform/context.js'
import type { Job } from '../platform/jobs/queries.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { buildExport, failExport } from './build.js'
import { mailRequester, notifyWebhook } from './notify.js'

const RETRIES_MS = [1_000, 10_000, 60_000, 300_000]

const idOf = ({ payload }: Job<{ export_id: number }>) => payload.export_id

async function build(ctx: Context, job: Job<{ export_id: number }>) {
  try {
    await buildExport(ctx, idOf(job))
  } catch (error) {
    if (job.attempts <= RETRIES_MS.length) throw error
    ctx.log.error({ err: error, export_id: idOf(job) }, 'export failed')
    await failExport(ctx, idOf(job), error)
  }
}

export function exportJobs(ctx: Context) {
  return {
    'exports.build': { retries_ms: RETRIES_MS, run: (job) => build(ctx, job) },
    'exports.mail': { run: (job) => mailRequester(ctx, idOf(job)) },
    'exports.notify': { run: (job) => notifyWebhook(ctx, idOf(job), job.payload.attempt) },
  } satisfies Partial<JobHandlers>
}
