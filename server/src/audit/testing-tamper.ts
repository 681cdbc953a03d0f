import { sql } from 'kysely'
import type { StageContext } from '../testing/stage.js'

/** What somebody with the database password could do: past the triggers. */
export async function tamper(ctx: StageContext, statement: string) {
  await ctx.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const part of statement.split(';')) await sql.raw(part).execute(tx)
  })
}
