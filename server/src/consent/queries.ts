import type { Db } from '../platform/db/index.js'

export async function readEmail(db: Db, userId: number): Promise<string> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  return user.email ?? ''
}

/** Whether people may sign in through an identity provider. */
export async function hasOpenProvider(db: Db): Promise<boolean> {
  const open = await db
    .selectFrom('identity_providers')
    .select('id')
    .where('enabled', '=', true)
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}
