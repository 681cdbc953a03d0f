import type pg from 'pg'
import { type AutocommitPool, type Db, openDb, type Pool } from './index.js'
import { cancelStatement } from './queries.js'

/** Connections that searches have for themselves. */
export interface Searches {
  /** Runs a search on one of them. When `gone` is aborted, nobody waits for it any more, and the database ends it. */
  run<T>(work: (db: Db) => Promise<T>, gone?: AbortSignal): Promise<T>
  close(): Promise<void>
}

/** A query builder over one connection, which sends nothing any more once nobody waits. */
function openOver(client: pg.PoolClient, gone: AbortSignal | undefined): Db {
  const query = (...args: Parameters<typeof client.query>) => {
    gone?.throwIfAborted()
    return client.query(...args)
  }
  const one = { query, release() {} }
  return openDb({ connect: async () => one, end: async () => {} } as unknown as AutocommitPool)
}

export function openSearches(pool: AutocommitPool, usual: Pool): Searches {
  return {
    async run(work, gone) {
      const client = await pool.connect()
      const { processID } = client as unknown as { processID: number }
      let cancelled: Promise<unknown> | undefined
      const cancel = () => {
        cancelled = cancelStatement(usual, processID).catch(() => {})
      }
      gone?.addEventListener('abort', cancel)
      try {
        return await work(openOver(client, gone))
      } finally {
        gone?.removeEventListener('abort', cancel)
        // Before another search has the connection, so that it is not the one that ends.
        await cancelled
        client.release()
      }
    },
    close: () => pool.end(),
  }
}
