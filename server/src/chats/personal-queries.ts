import type { Insertable } from 'kysely'
import type { DB, Db, Tx } from '../platform/db/index.js'
import { personalKey } from './personal.js'

export function findPersonalChat(db: Db, a: number, b: number) {
  return db.selectFrom('chats').selectAll().where('personal_key', '=', personalKey(a, b)).executeTakeFirst()
}

/** Adds a personal chat and gives its id; undefined where the pair has one already. */
export async function insertPersonalChat(
  tx: Tx,
  chat: Omit<Insertable<DB['chats']>, 'kind' | 'name'>,
): Promise<number | undefined> {
  const made = await tx
    .insertInto('chats')
    .values({ kind: 'personal', name: '', ...chat })
    .onConflict((conflict) => conflict.column('personal_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}
