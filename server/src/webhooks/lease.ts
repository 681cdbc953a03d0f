import { randomUUID } from 'node:crypto'
import type { AutocommitPool } from '../platform/db/index.js'
import { deleteWorker, putAlive } from './lease-queries.js'

/** A process that dies keeps its lanes from others for this long. */
const LEASE_MS = 8_000
/** A lease younger than this needs no renewing before more is taken on it. */
const FRESH_MS = 1_500

export interface Lease {
  /** Names this process to the others; a new name after every time that it may have been believed dead. */
  worker_id: string
  /** True where work begun now under that name, and taking this long, ends before anybody else may take it over. */
  covers(worker_id: string, duration_ms: number): boolean
  /** Makes sure that the lease is young. */
  freshen(): Promise<void>
  renew(): Promise<void>
  release(): Promise<void>
}

/**
 * The right of one process to the lanes it took. The database's clock decides when others may have them; this process
 * counts from before it asked, so that it always stops first.
 */
export function createLease(pool: AutocommitPool): Lease {
  let worker_id = randomUUID() as string
  let until = 0
  let renewing: Promise<void> | undefined

  async function renewOnce() {
    const asked = performance.now()
    if (asked >= until) worker_id = randomUUID()
    await putAlive(pool, worker_id, LEASE_MS)
    until = asked + LEASE_MS
  }

  function renew() {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  return {
    get worker_id() {
      return worker_id
    },
    covers: (id, duration_ms) => id === worker_id && performance.now() + duration_ms < until,
    async freshen() {
      if (until - performance.now() < LEASE_MS - FRESH_MS) await renew()
    },
    renew,
    async release() {
      until = 0
      await deleteWorker(pool, worker_id)
    },
  }
}
