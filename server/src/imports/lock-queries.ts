import { sql } from 'kysely'
import type { Autocommit } from '../platform/db/index.js'
import { LOCKS } from '../platform/db/locks.js'

const TIMED_OUT = '55P03'

/** Takes the lock of imports for this connection; false where another has it for longer than the wait. */
export async function lockImports(connection: Autocommit, wait: string): Promise<boolean> {
  await sql`select set_config('lock_timeout', ${wait}, false)`.execute(connection)
  try {
    await sql`select pg_advisory_lock(${LOCKS.imports})`.execute(connection)
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== TIMED_OUT) throw error
    return false
  } finally {
    await sql`reset lock_timeout`.execute(connection)
  }
}

export async function unlockImports(connection: Autocommit) {
  await sql`select pg_advisory_unlock(${LOCKS.imports})`.execute(connection)
}
