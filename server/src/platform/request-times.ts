import type { Metric, Registry } from 'prom-client'

const UP_TO_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const NAME = 'parley_request_seconds'
const HELP = 'Requests by operation and status, with their latency.'

interface Times {
  /** Requests by the bound that they are within, the slower ones last. */
  counts: number[]
  sum_s: number
}

/**
 * A hot path: a histogram of the library sorts and joins the labels of each observation, which is 2 % of a short read.
 * Here a request adds to a number, and the labels are made when the metrics are read.
 */
export function createRequestTimes(registry: Registry) {
  const byOperation = new Map<string, Map<number, Times>>()

  function timesOf(operation: string, status: number): Times {
    const byStatus = byOperation.get(operation) ?? new Map<number, Times>()
    const times = byStatus.get(status) ?? { counts: UP_TO_S.concat(0).fill(0), sum_s: 0 }
    byOperation.set(operation, byStatus.set(status, times))
    return times
  }

  const metric = {
    name: NAME,
    async get() {
      const values = [...byOperation].flatMap(([operation, byStatus]) =>
        [...byStatus].flatMap(([status, times]) => valuesOf({ operation, status }, times)),
      )
      return { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values }
    },
    reset: () => byOperation.clear(),
  }
  registry.registerMetric(metric as unknown as Metric)

  return {
    note(operation: string, status: number, seconds: number) {
      const times = timesOf(operation, status)
      let bucket = 0
      while (bucket < UP_TO_S.length && seconds > (UP_TO_S[bucket] as number)) bucket += 1
      times.counts[bucket] = (times.counts[bucket] as number) + 1
      times.sum_s += seconds
    },
  }
}

/** A bucket counts those below it as well. */
function valuesOf(labels: { operation: string; status: number }, { counts, sum_s }: Times) {
  let count = 0
  const buckets = counts.map((more, index) => {
    count += more
    return { metricName: `${NAME}_bucket`, labels: { le: UP_TO_S[index] ?? '+Inf', ...labels }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum_s },
    { metricName: `${NAME}_count`, labels, value: count },
  ]
}
