import { type Pool, rows } from './index.js'

/** Rejects where the database does not answer. */
export async function ping(pool: Pool): Promise<void> {
  await rows(pool, 'select 1')
}

/** Ends the statement that this connection runs now. */
export async function cancelStatement(pool: Pool, processId: number): Promise<void> {
  await rows(pool, 'select pg_cancel_backend($1)', [processId])
}
