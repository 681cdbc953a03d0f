import type { AnyJob, JobKind, JobPayload } from '@parley/contract'
import type { Clock } from '../clock.js'
import type { Autocommit } from '../db/index.js'
import type { Bell } from '../events/bell.js'
import type { Log } from '../log.js'
import type { Metrics } from '../metrics.js'
import { loop, type Worker } from '../worker.js'
import {
  claimJobs,
  deleteJob,
  insertJob,
  type Job,
  putBackJob,
  renewLeases,
  rescheduleJob,
} from './queries.js'

export interface JobHandler<Payload = object> {
  run(job: Job<Payload>): Promise<void>
  /** Waits before the second, third, … attempt; after the last the job is kept as failed. */
  retries_ms?: readonly number[]
  /** Runs again and again, this long after each end. */
  every_ms?: number
}

/** A handler for each kind of job; without one of them it does not compile. */
export type JobHandlers<J extends JobKind = AnyJob> = {
  [K in J as K['kind']]: JobHandler<JobPayload<K>>
}

type AnyHandlers = Readonly<Record<string, JobHandler>>

const RETRIES_MS = [1_000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000]
/** A process that dies keeps its jobs from others for this long. The database's own clock measures it. */
const LEASE_S = 20
const BATCH = 16
const LOOK_MS = 1_000

export interface JobsContext {
  autocommit: Autocommit
  bell: Bell
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'jobs'>
}

async function settle(ctx: JobsContext, job: Job, handler: JobHandler) {
  if (handler.every_ms === undefined) return deleteJob(ctx.autocommit, job.id)
  await rescheduleJob(ctx.autocommit, job.id, new Date(ctx.clock.now() + handler.every_ms))
}

async function putBack(ctx: JobsContext, job: Job, handler: JobHandler, error: unknown) {
  const waits = handler.retries_ms ?? RETRIES_MS
  const wait_ms = handler.every_ms ?? waits[job.attempts - 1]
  const last_error = error instanceof Error ? (error.stack ?? error.message) : String(error)
  ctx.log.warn({ job: job.kind, job_id: job.id, attempts: job.attempts, err: error }, 'job failed')
  const now = ctx.clock.now()
  const change = wait_ms === undefined ? { failed_at: new Date(now) } : { run_at: new Date(now + wait_ms) }
  await putBackJob(ctx.autocommit, job.id, change, last_error.slice(0, 4000))
}

/** Puts the recurring jobs into the queue, once for all processes. */
export async function enqueueRecurring(ctx: JobsContext, handlers: AnyHandlers) {
  const now = new Date(ctx.clock.now())
  for (const [kind, handler] of Object.entries(handlers)) {
    if (handler.every_ms === undefined) continue
    const job = { kind, key: `every:${kind}`, payload: '{}', run_at: now, created_at: now }
    await insertJob(ctx.autocommit, job)
  }
}

/** Runs one job and settles it; never throws. */
async function perform(ctx: JobsContext, handler: JobHandler, job: Job) {
  try {
    await handler.run(job)
    await settle(ctx, job, handler)
    ctx.metrics.jobs.inc({ kind: job.kind, result: 'done' })
  } catch (error) {
    ctx.metrics.jobs.inc({ kind: job.kind, result: 'failed' })
    await putBack(ctx, job, handler, error).catch((lost) =>
      ctx.log.error({ err: lost }, 'job failed and could not be put back; its lease expires'),
    )
  }
}

function keepLeases(ctx: JobsContext, running: ReadonlyMap<number, unknown>): NodeJS.Timeout {
  const renew = () => {
    if (running.size === 0) return
    renewLeases(ctx.autocommit, [...running.keys()], LEASE_S).catch((error) =>
      ctx.log.warn({ err: error }, 'renewing the leases of jobs failed'),
    )
  }
  return setInterval(renew, (LEASE_S * 1000) / 4)
}

/** Takes due jobs and runs them, several at a time; any number of processes may do so without doing one twice. */
export function startJobs(ctx: JobsContext, handlers: AnyHandlers, at_once = BATCH): Worker {
  const kinds = Object.keys(handlers)
  const running = new Map<number, Promise<void>>()
  let wake = () => {}
  let renewing: NodeJS.Timeout | undefined

  async function take(): Promise<number> {
    const count = at_once - running.size
    if (count <= 0) return 0
    const now = new Date(ctx.clock.now())
    const jobs = await claimJobs(ctx.autocommit, { kinds, now, lease_s: LEASE_S, count })
    for (const job of jobs) {
      const ended = perform(ctx, handlers[job.kind] as JobHandler, job).finally(() => {
        running.delete(job.id)
        wake()
      })
      running.set(job.id, ended)
    }
    return jobs.length
  }

  const claiming = loop({
    name: 'jobs',
    every_ms: LOOK_MS,
    step: take,
    wake(listener) {
      wake = listener
      return ctx.bell.on('jobs', listener)
    },
    onError: (error) => ctx.log.warn({ err: error }, 'claiming jobs failed; retrying in 1 s'),
  })
  return {
    name: 'jobs',
    start() {
      renewing = keepLeases(ctx, running)
      claiming.start()
    },
    async stop(timeout_ms) {
      const late = new Promise((resolve) => setTimeout(resolve, timeout_ms).unref())
      await claiming.stop(timeout_ms)
      await Promise.race([Promise.all(running.values()), late])
      clearInterval(renewing)
    },
    async drain() {
      for (let total = 0; ; ) {
        const taken = await claiming.drain()
        total += taken
        if (taken === 0 && running.size === 0) return total
        await Promise.all(running.values())
      }
    },
  }
}
