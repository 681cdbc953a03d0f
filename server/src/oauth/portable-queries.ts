import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

/** Tokens of an account that gets another id. */
export async function moveTokens(tx: Tx, from: number, to: number) {
  await sql`update tokens set user_id = ${to} where user_id = ${from}`.execute(tx)
}
