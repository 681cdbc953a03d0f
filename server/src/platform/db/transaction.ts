import type { KyselyPlugin } from 'kysely'
import type { Bell } from '../events/bell.js'
import { isPlanOutdated } from './failures.js'
import type { Autocommit, Tx } from './index.js'

/** What `transaction()` needs of a context; inside an idempotent request `tx` is open already. */
export interface Transactional {
  autocommit: Autocommit
  bell: Bell
  tx?: Tx
}

type Topic = Parameters<Bell['ring']>[0]
const topicsOf = new WeakMap<Tx, Set<Topic>>()

/** Rings the bell for this topic once the transaction has committed. */
export function ringAfterCommit(tx: Tx, topic: Topic) {
  topicsOf.get(tx)?.add(topic)
}

/** The same transaction, with its queries seen by a plugin. */
export function observed(tx: Tx, plugin: KyselyPlugin): Tx {
  const same = tx.withPlugin(plugin)
  const topics = topicsOf.get(tx)
  if (topics) topicsOf.set(same, topics)
  return same
}

const RETRIED = new Set(['40001', '40P01'])
const ATTEMPTS = 4

/** Deadlocks, serialization failures and outdated plans changed nothing; the whole transaction may be run again. */
export function isRetryable(error: unknown): boolean {
  return RETRIED.has((error as { code?: string }).code ?? '') || isPlanOutdated(error)
}

/** Opens one transaction for one action; wakes those who wait for its events or jobs after the commit. */
export async function transaction<T>(ctx: Transactional, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (ctx.tx) return work(ctx.tx)
  for (let attempt = 1; ; attempt += 1) {
    const topics = new Set<Topic>()
    try {
      const result = await ctx.autocommit.transaction().execute((tx) => {
        topicsOf.set(tx, topics)
        return work(tx)
      })
      for (const topic of topics) ctx.bell.ring(topic)
      return result
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error
    }
  }
}
