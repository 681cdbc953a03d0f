/**
 * Collects calls while a batch is in flight and hands them over together, without a timer: one caller alone waits
 * for nobody, and under load a hundred callers share one round trip.
 */
export function microBatch<I, O>(
  run: (items: I[]) => Promise<O[]>,
  options: { max: number; inFlight?: number },
): (item: I) => Promise<O> {
  interface Waiting {
    item: I
    resolve: (value: O) => void
    reject: (reason: unknown) => void
  }
  const inFlight = options.inFlight ?? 1
  let waiting: Waiting[] = []
  let running = 0

  async function runOne(batch: Waiting[]) {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as O)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      running -= 1
      next()
    }
  }

  function next() {
    while (running < inFlight && waiting.length > 0) {
      const batch = waiting.slice(0, options.max)
      waiting = waiting.slice(options.max)
      running += 1
      void runOne(batch)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      // Calls of the same turn of the event loop go together.
      if (waiting.length === 1) setImmediate(next)
    })
}
