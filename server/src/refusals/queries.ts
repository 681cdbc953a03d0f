import type { Insertable } from 'kysely'
import type { Autocommit, DB, Db } from '../platform/db/index.js'

export async function insertRefusal(db: Autocommit, refusal: Insertable<DB['refusals']>) {
  await db.insertInto('refusals').values(refusal).execute()
}

/** The newest of this id: callers may choose ids themselves, and use one twice. */
export function findRefusal(db: Db, request_id: string) {
  return db
    .selectFrom('refusals')
    .innerJoin('users', 'users.id', 'refusals.user_id')
    .selectAll('refusals')
    .select('users.bot')
    .where('request_id', '=', request_id)
    .orderBy('refusals.id', 'desc')
    .executeTakeFirst()
}
export type RefusalRow = NonNullable<Awaited<ReturnType<typeof findRefusal>>>

export async function deleteOldRefusals(db: Autocommit, before: Date) {
  await db.deleteFrom('refusals').where('created_at', '<', before).execute()
}
