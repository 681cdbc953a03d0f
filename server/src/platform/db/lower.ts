import type { Socket } from 'node:net'
import type pg from 'pg'
import { lowerBackend } from '../priority.js'
import type { AutocommitPool } from './index.js'

/** What the driver knows of a connection, and its types leave out. */
interface Connected {
  processID: number
  connection: { stream: Socket }
}

/** Lets the database give way to other connections while it works for this pool, which must not serve requests later. */
export function lowerPriorityOf(pool: AutocommitPool) {
  const lowered = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (lowered.has(client)) return
    lowered.add(client)
    const { processID, connection } = client as unknown as Connected
    lowerBackend(processID, connection.stream.localPort)
  })
}
