import { type RawBuilder, sql } from 'kysely'
import type { StageContext } from './stage.js'

/**
 * Inserts many rows without triggers and foreign keys. The search index of names takes two milliseconds of CPU time a
 * row, which is more than all the rest of a test with a thousand of them.
 */
export async function insertBulk({ db }: StageContext, ...statements: RawBuilder<unknown>[]) {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const statement of statements) await statement.execute(tx)
  })
}
