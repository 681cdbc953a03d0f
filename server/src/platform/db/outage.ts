import type { Log } from '../log.js'
import { isConnectionLost } from './failures.js'
import type { Pool } from './index.js'
import { ping } from './queries.js'

const PROBE_MS = 500

interface Line {
  err?: unknown
}

interface Listeners {
  /** Something has failed because the database is away. */
  onFailure(): void
  /** The database was lost, or is back. */
  onTurn(): void
}

export interface Outages {
  /** The log of a process, with one line when the database is lost and one when it is back. */
  log: Log
  /** Notes an error of a connection: an outage where it is one, else a line of its own. */
  onError(error: Error): void
  /** From now on connections end because we end them. */
  close(): void
}

/**
 * While the database is away, everything that needs it fails, several times a second. The first failure is logged; the others
 * are lines of `debug` until a probe gets through.
 */
export function watchOutages(log: Log, pool: () => Pool, { onFailure, onTurn }: Listeners): Outages {
  let since: number | null = null
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function probe() {
    try {
      await ping(pool())
      if (closed || since === null) return
      const seconds = Math.round((performance.now() - since) / 100) / 10
      since = null
      onTurn()
      log.info({ seconds }, `database is back after ${seconds} s`)
    } catch {
      if (!closed) timer = setTimeout(probe, PROBE_MS).unref()
    }
  }

  function lost(error: Error) {
    if (closed) return
    onFailure()
    if (since !== null) return log.debug({ err: error }, 'database is away')
    since = performance.now()
    onTurn()
    log.error(`database connection lost: ${error.message || (error as { code?: string }).code}; retrying`)
    timer = setTimeout(probe, PROBE_MS).unref()
  }

  const quiet = Object.create(log) as Log
  for (const level of ['warn', 'error'] as const) {
    const write = log[level].bind(log) as (...args: unknown[]) => void
    quiet[level] = ((...args: unknown[]) => {
      const { err } = (typeof args[0] === 'object' && args[0] !== null ? args[0] : {}) as Line
      if (err instanceof Error && isConnectionLost(err)) lost(err)
      else write(...args)
    }) as Log[typeof level]
  }

  return {
    log: quiet,
    onError(error) {
      if (isConnectionLost(error)) lost(error)
      else if (!closed) log.warn({ err: error }, 'database connection failed')
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
