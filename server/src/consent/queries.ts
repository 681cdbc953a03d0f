import type { Db } from '../platform/db/index.js'

export async function readEmail(db: Db, userId: number): Promise<string> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  return user.email ?? ''
}
