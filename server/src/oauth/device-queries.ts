import { type Insertable, sql } from 'kysely'
import type { Autocommit, DB, Db, Tx } from '../platform/db/index.js'
import { type Paging, pageOf } from '../platform/http/page.js'

export async function insertDeviceCode(tx: Tx, code: Insertable<DB['device_codes']>) {
  await tx.insertInto('device_codes').values(code).execute()
}

/** The device that waits behind a code which somebody typed. */
export function findWaitingDevice(db: Db, userCode: string, now: Date) {
  return db
    .selectFrom('device_codes')
    .select(['user_code', 'device_name'])
    .where('user_code', '=', userCode)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Answers the device that waits behind a code; false where none waits. */
export async function settleDeviceCode(
  tx: Tx,
  userCode: string,
  now: Date,
  answer: { state: 'approved' | 'denied'; user_id: number; scopes: string[] },
): Promise<boolean> {
  const settled = await tx
    .updateTable('device_codes')
    .set(answer)
    .where('user_code', '=', userCode)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .returning('user_code')
    .executeTakeFirst()
  return settled !== undefined
}

export function lockDeviceCode(tx: Tx, hash: Buffer) {
  return tx.selectFrom('device_codes').selectAll().where('hash', '=', hash).forUpdate().executeTakeFirst()
}

export async function notePoll(tx: Tx, hash: Buffer, polled_at: Date) {
  await tx.updateTable('device_codes').set({ polled_at }).where('hash', '=', hash).execute()
}

export async function deleteDeviceCode(tx: Tx, hash: Buffer) {
  await tx.deleteFrom('device_codes').where('hash', '=', hash).execute()
}

export async function dropOverDeviceCodes(db: Autocommit, before: Date) {
  await db.deleteFrom('device_codes').where('expires_at', '<', before).execute()
}

/** Logins by code of this person, newest first, each with the name of its device. */
export function listLogins(db: Db, userId: number, paging: Paging) {
  const logins = db
    .selectFrom('tokens')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'cli')
  return pageOf(logins, paging, { id: sql`id` }).execute()
}

/** False where it is no login by code of this person. */
export async function deleteLogin(tx: Tx, userId: number, tokenId: number): Promise<boolean> {
  const ended = await tx
    .deleteFrom('tokens')
    .where('id', '=', tokenId)
    .where('user_id', '=', userId)
    .where('kind', '=', 'cli')
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}
