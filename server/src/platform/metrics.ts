import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createRequestTimes } from './request-times.js'

export type Metrics = ReturnType<typeof createMetrics>

/** Of refused requests and live streams. */
function requestMetrics(registers: Registry[]) {
  return {
    refusals: new Counter({
      name: 'parley_rate_refusals_total',
      help: 'Requests refused by a rate limit.',
      labelNames: ['window'] as const,
      registers,
    }),
    live_streams: new Gauge({
      name: 'parley_live_streams',
      help: 'Live streams that are open on this process.',
      registers,
    }),
  }
}

/** Of the work behind requests: events, jobs, webhooks. */
function workMetrics(registers: Registry[]) {
  return {
    deliveries: new Counter({
      name: 'parley_delivery_attempts_total',
      help: 'Attempts to deliver a webhook, by result.',
      labelNames: ['result'] as const,
      registers,
    }),
    deliveries_waiting: new Gauge({
      name: 'parley_deliveries_waiting',
      help: 'Webhooks that wait to be delivered, those that are retried included.',
      registers,
    }),
    jobs: new Counter({
      name: 'parley_jobs_total',
      help: 'Background jobs, by kind and result.',
      labelNames: ['kind', 'result'] as const,
      registers,
    }),
    queue_depth: new Gauge({
      name: 'parley_queue_depth',
      help: 'Jobs that wait, by state.',
      labelNames: ['state'] as const,
      registers,
    }),
    set_aside: new Counter({
      name: 'parley_events_set_aside_total',
      help: 'Events that no reader could take.',
      registers,
    }),
    event_lag: new Gauge({
      name: 'parley_event_lag_seconds',
      help: 'Age of the oldest event that waits for the relay.',
      registers,
    }),
  }
}

/** Of the process. */
function processMetrics(registers: Registry[]) {
  return {
    build: new Gauge({
      name: 'parley_build_info',
      help: 'Always 1; the labels tell which version runs.',
      labelNames: ['version', 'node'] as const,
      registers,
    }),
    replica_lag: new Gauge({
      name: 'parley_replica_lag_seconds',
      help: 'By how much a replica is late; missing while it is left out.',
      labelNames: ['host'] as const,
      registers,
    }),
    replica_reads: new Counter({
      name: 'parley_replica_reads_total',
      help: 'Requests that a replica answered.',
      registers,
    }),
    pool: new Gauge({
      name: 'parley_pool_connections',
      help: 'Database connections, by state.',
      labelNames: ['state'] as const,
      registers,
    }),
  }
}

/** The figures that `/metrics` shows. Gauges that cost a query are read when asked for. */
export function createMetrics() {
  const registry = new Registry()
  // CPU, memory, garbage collection and delay of the event loop.
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: createRequestTimes(registry),
    ...requestMetrics([registry]),
    ...workMetrics([registry]),
    ...processMetrics([registry]),
  }
}
