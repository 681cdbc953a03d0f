import type { KyselyPlugin } from 'kysely'

/** Measures what the readers of a round take themselves: time, without that in which they wait for the database. */
export interface OwnTime {
  /** Sees the queries of the round's transaction. */
  plugin: KyselyPlugin
  ms(): number
  /** With the waiting. */
  wall_ms(): number
}

export function startOwnTime(): OwnTime {
  const began = performance.now()
  // A query that fails is never taken out: its transaction is lost with it, and so is the round.
  const asked = new Set<object>()
  let asking_since = 0
  let waited = 0
  return {
    plugin: {
      transformQuery({ node, queryId }) {
        if (asked.size === 0) asking_since = performance.now()
        asked.add(queryId)
        return node
      },
      async transformResult({ result, queryId }) {
        if (asked.delete(queryId) && asked.size === 0) waited += performance.now() - asking_since
        return result
      },
    },
    ms() {
      const now = performance.now()
      return now - began - waited - (asked.size > 0 ? now - asking_since : 0)
    },
    wall_ms: () => performance.now() - began,
  }
}
