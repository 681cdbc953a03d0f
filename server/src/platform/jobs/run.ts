import type { AnyJob, JobKind, JobPayload } from '@parley/contract'
import { sql } from 'kysely'
import type { Clock } from '../clock.js'
import type { Autocommit } from '../db/index.js'
import type { Bell } from '../events/bell.js'
import type { Log } from '../log.js'
import type { Metrics } from '../metrics.js'
import type { Worker } from '../worker.js'

export interface Job<Payload = object> {
  id: number
  kind: string
  payload: Payload
  attempts: number
  run_at: Date
}

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

export interface JobsContext {
  autocommit: Autocommit
  bell: Bell
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'jobs'>
}

async function claim(ctx: JobsContext, kinds: string[], count: number): Promise<Job[]> {
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<Job>`
    update jobs set attempts = attempts + 1, locked_until = clock_timestamp() + make_interval(secs => ${LEASE_S})
    where id = any(array(
      select id from jobs
      where failed_at is null and run_at <= ${now} and kind = any(${kinds})
        and (locked_until is null or locked_until < clock_timestamp())
      order by run_at, id limit ${count} for update skip locked))
    returning id, kind, payload, attempts, run_at`.execute(ctx.autocommit)
  return rows
}

async function renew(ctx: JobsContext, ids: number[]) {
  await sql`update jobs set locked_until = clock_timestamp() + make_interval(secs => ${LEASE_S})
    where id = any(${ids})`.execute(ctx.autocommit)
}

async function settle(ctx: JobsContext, job: Job, handler: JobHandler) {
  if (handler.every_ms === undefined) {
    await ctx.autocommit.deleteFrom('jobs').where('id', '=', job.id).execute()
    return
  }
  const run_at = new Date(ctx.clock.now() + handler.every_ms)
  await ctx.autocommit
    .updateTable('jobs')
    .set({ run_at, attempts: 0, locked_until: null, last_error: null })
    .where('id', '=', job.id)
    .execute()
}

async function putBack(ctx: JobsContext, job: Job, handler: JobHandler, error: unknown) {
  const waits = handler.retries_ms ?? RETRIES_MS
  const wait_ms = handler.every_ms ?? waits[job.attempts - 1]
  const last_error = error instanceof Error ? (error.stack ?? error.message) : String(error)
  ctx.log.warn({ job: job.kind, job_id: job.id, attempts: job.attempts, err: error }, 'job failed')
  const now = ctx.clock.now()
  const change = wait_ms === undefined ? { failed_at: new Date(now) } : { run_at: new Date(now + wait_ms) }
  await ctx.autocommit
    .updateTable('jobs')
    .set({ ...change, locked_until: null, last_error: last_error.slice(0, 4000) })
    .where('id', '=', job.id)
    .execute()
}

/** Puts the recurring jobs into the queue, once for all processes. */
export async function enqueueRecurring(ctx: JobsContext, handlers: AnyHandlers) {
  const now = new Date(ctx.clock.now())
  for (const [kind, handler] of Object.entries(handlers)) {
    if (handler.every_ms === undefined) continue
    await ctx.autocommit
      .insertInto('jobs')
      .values({ kind, key: `every:${kind}`, payload: '{}', run_at: now, created_at: now })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  }
}

/** Takes due jobs and runs them, several at a time; any number of processes may do so without doing one twice. */
export function startJobs(ctx: JobsContext, handlers: AnyHandlers): Worker {
  const kinds = Object.keys(handlers)
  const running = new Map<number, Promise<void>>()
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let renewing: NodeJS.Timeout | undefined
  let unhook: (() => void) | undefined
  let looking: Promise<number> | undefined

  async function perform(job: Job) {
    const handler = handlers[job.kind] as JobHandler
    try {
      await handler.run(job)
      await settle(ctx, job, handler)
      ctx.metrics.jobs.inc({ kind: job.kind, result: 'done' })
    } catch (error) {
      ctx.metrics.jobs.inc({ kind: job.kind, result: 'failed' })
      await putBack(ctx, job, handler, error).catch((lost) =>
        ctx.log.error({ err: lost }, 'job failed and could not be put back; its lease expires'),
      )
    } finally {
      running.delete(job.id)
      if (!stopped) look()
    }
  }

  async function take(): Promise<number> {
    const room = BATCH - running.size
    if (room <= 0) return 0
    const jobs = await claim(ctx, kinds, room)
    for (const job of jobs) running.set(job.id, perform(job))
    return jobs.length
  }

  function look() {
    looking ??= take()
      .catch((error) => {
        ctx.log.warn({ err: error }, 'claiming jobs failed; retrying in 1 s')
        return 0
      })
      .finally(() => {
        looking = undefined
        clearTimeout(timer)
        if (!stopped) timer = setTimeout(look, 1000)
      })
    return looking
  }

  return {
    name: 'jobs',
    start() {
      stopped = false
      unhook = ctx.bell.on('jobs', look)
      renewing = setInterval(
        () => {
          if (running.size > 0)
            renew(ctx, [...running.keys()]).catch((error) =>
              ctx.log.warn({ err: error }, 'renewing the leases of jobs failed'),
            )
        },
        (LEASE_S * 1000) / 4,
      )
      look()
    },
    async stop(timeout_ms) {
      stopped = true
      unhook?.()
      clearTimeout(timer)
      await looking
      const late = new Promise((resolve) => setTimeout(resolve, timeout_ms).unref())
      await Promise.race([Promise.all(running.values()), late])
      clearInterval(renewing)
    },
    async drain() {
      let total = 0
      for (;;) {
        await looking
        const taken = await take()
        total += taken
        const under = [...running.values()]
        if (taken === 0 && under.length === 0) return total
        await Promise.all(under)
      }
    },
  }
}
