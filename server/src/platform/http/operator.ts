import { openapi, refusalsPage } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { now } from '../clock.js'
import type { Context } from '../context.js'
import { ping } from '../db/queries.js'
import { RELEASE } from '../version.js'
import { readExamples } from './examples.js'
import { fingerprintOf, WORKSPACE_HEADER } from './fingerprint.js'
import { readFigures } from './operator-queries.js'
import { referenceRoutes } from './reference.js'

/** How long after a write that found no space the server counts as not ready. */
const FULL_FOR_MS = 30_000

async function readGauges(ctx: Context) {
  const figures = await readFigures(ctx.pool, now(ctx.clock))
  const { event_lag, queue_depth, deliveries_waiting, pool, build, replica_lag } = ctx.metrics
  replica_lag.reset()
  for (const { host, lag_ms } of ctx.replicas?.states() ?? [])
    if (lag_ms !== null) replica_lag.set({ host }, lag_ms / 1000)
  event_lag.set(Math.max(0, figures?.lag_s ?? 0))
  queue_depth.set({ state: 'due' }, figures?.due ?? 0)
  queue_depth.set({ state: 'waiting' }, figures?.waiting ?? 0)
  queue_depth.set({ state: 'failed' }, figures?.failed ?? 0)
  deliveries_waiting.set(figures?.deliveries ?? 0)
  build.set({ version: RELEASE, node: process.version }, 1)
  pool.set({ state: 'open' }, ctx.pool.totalCount)
  pool.set({ state: 'idle' }, ctx.pool.idleCount)
  pool.set({ state: 'wanted' }, ctx.pool.waitingCount)
}

/** Liveness, readiness and metrics. */
export function healthRoutes(app: FastifyInstance, ctx: Context) {
  const fingerprint = fingerprintOf(ctx.secret)
  app.get('/livez', async (_, reply) =>
    reply.header(WORKSPACE_HEADER, fingerprint).type('text/plain').send('ok\n'),
  )
  app.get('/readyz', async (_, reply) => {
    reply.header(WORKSPACE_HEADER, fingerprint)
    if (ctx.drain.began) return reply.status(503).type('text/plain').send('the process is stopping\n')
    const { full_at } = ctx.disk
    if (full_at !== null && ctx.clock.now() - full_at < FULL_FOR_MS)
      return reply.status(503).type('text/plain').send('the disk is full\n')
    try {
      await ping(ctx.pool)
      return reply.type('text/plain').send('ok\n')
    } catch {
      return reply.status(503).type('text/plain').send('the database does not answer\n')
    }
  })
  app.get('/metrics', async (_, reply) => {
    await readGauges(ctx)
    return reply.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics())
  })
}

/** Routes for operators: health, and the API reference. */
export function operatorRoutes(app: FastifyInstance, ctx: Context, sandbox: boolean) {
  // Made when first asked for: most processes never are.
  let document: string | undefined

  healthRoutes(app, ctx)
  app.get('/reference/refusals', async (_, reply) =>
    reply.type('text/html; charset=utf-8').send(refusalsPage()),
  )
  const { public_url, api_prefixes, rate_windows: windows } = ctx.config
  const made = () => {
    const examples = readExamples()
    return openapi(RELEASE, { public_url, prefix: api_prefixes[0] ?? '', sandbox, windows, examples })
  }
  app.get('/openapi.json', async (_, reply) => {
    document ??= JSON.stringify(made())
    return reply.type('application/json; charset=utf-8').send(document)
  })
  referenceRoutes(app, ctx.config, made)
}
