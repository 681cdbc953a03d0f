import { sql } from 'kysely'
import type { Tx } from './index.js'

/** A part of a transaction that can be undone alone; a later part may have the same name. */
export async function setSavepoint(tx: Tx, name: string) {
  await sql`savepoint ${sql.id(name)}`.execute(tx)
}

export async function releaseSavepoint(tx: Tx, name: string) {
  await sql`release savepoint ${sql.id(name)}`.execute(tx)
}

export async function rollBackTo(tx: Tx, name: string) {
  await sql`rollback to savepoint ${sql.id(name)}`.execute(tx)
}
