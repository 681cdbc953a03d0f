import { type Pool, rows } from './index.js'

/** Rejects where the database does not answer. */
export async function ping(pool: Pool): Promise<void> {
  await rows(pool, 'select 1')
}
