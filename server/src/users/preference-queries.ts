import type { Preferences } from '@parley/contract'
import type { Db, Tx } from '../platform/db/index.js'

export async function findPreferences(db: Db, userId: number): Promise<Preferences | undefined> {
  const row = await db
    .selectFrom('preferences')
    .select('value')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.value
}

/** Keeps preferences, as JSON text, in place of earlier ones. */
export async function putPreferences(tx: Tx, user_id: number, value: string, changed_at: Date) {
  await tx
    .insertInto('preferences')
    .values({ user_id, value, changed_at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ value, changed_at }))
    .execute()
}
