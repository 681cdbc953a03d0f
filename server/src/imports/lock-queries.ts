import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import { LOCKS } from '../platform/db/locks.js'

/** Takes the lock of imports until the transaction ends; fails with 55P03 where another has it for longer than the wait. */
export async function lockImports(tx: Tx, wait: string) {
  await sql`select set_config('lock_timeout', ${wait}, true)`.execute(tx)
  await sql`select pg_advisory_xact_lock(${LOCKS.imports})`.execute(tx)
}
