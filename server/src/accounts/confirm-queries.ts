import type { Db, Tx } from '../platform/db/index.js'

export async function findConfirmation(db: Db, tokenId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('session_confirmations')
    .select('confirmed_at')
    .where('token_id', '=', tokenId)
    .executeTakeFirst()
  return row?.confirmed_at
}

export async function putConfirmation(tx: Tx, token_id: number, confirmed_at: Date) {
  await tx
    .insertInto('session_confirmations')
    .values({ token_id, confirmed_at })
    .onConflict((same) => same.column('token_id').doUpdateSet({ confirmed_at }))
    .execute()
}
