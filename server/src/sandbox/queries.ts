import type { Db } from '../platform/db/index.js'

/** The user with this id, deleted or not. */
export function findHolder(db: Db, userId: number) {
  return db.selectFrom('users').select(['id', 'role', 'bot']).where('id', '=', userId).executeTakeFirst()
}

export async function readOwnerId(db: Db): Promise<number> {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return owner.id
}

export function findChat(db: Db, chatId: number) {
  return db.selectFrom('chats').select('id').where('id', '=', chatId).executeTakeFirst()
}

/** Somebody who is there, with the plan of the workspace. */
export function findPerson(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .crossJoin('workspace')
    .select(['users.role', 'users.bot', 'workspace.plan'])
    .where('users.id', '=', userId)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
}
