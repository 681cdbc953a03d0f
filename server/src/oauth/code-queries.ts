import type { Insertable } from 'kysely'
import type { Autocommit, DB, Tx } from '../platform/db/index.js'

export async function insertCode(tx: Tx, code: Insertable<DB['oauth_codes']>) {
  await tx.insertInto('oauth_codes').values(code).execute()
}

export function lockCode(tx: Tx, hash: Buffer) {
  return tx.selectFrom('oauth_codes').selectAll().where('hash', '=', hash).forUpdate().executeTakeFirst()
}

/** Keeps which token a code was exchanged for, so that its second use ends that token. */
export async function markCodeUsed(tx: Tx, hash: Buffer, token_id: number) {
  await tx.updateTable('oauth_codes').set({ token_id }).where('hash', '=', hash).execute()
}

/** Deletes codes for a bot that were not exchanged; says how many. */
export async function deleteUnusedCodes(tx: Tx, botId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauth_codes')
    .where('bot_id', '=', botId)
    .where('token_id', 'is', null)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteCodesOf(tx: Tx, botId: number, userId: number) {
  await tx.deleteFrom('oauth_codes').where('bot_id', '=', botId).where('user_id', '=', userId).execute()
}

export async function dropOverCodes(db: Autocommit, before: Date) {
  await db.deleteFrom('oauth_codes').where('expires_at', '<', before).execute()
}
