import { type Selectable, sql } from 'kysely'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'
import { type Paging, pageOf } from '../platform/http/page.js'

export type ReactionRow = Selectable<DB['reactions']>

export function findReaction(db: Db, messageId: number, userId: number, emoji: string) {
  return db
    .selectFrom('reactions')
    .selectAll()
    .where('message_id', '=', messageId)
    .where('user_id', '=', userId)
    .where('emoji', '=', emoji)
    .executeTakeFirst()
}

/** How full a message is: different ones of this person, different ones in all, and all together. */
export async function countReactions(db: Db, messageId: number, userId: number, emoji: string) {
  const rows = await read(
    db,
    sql<{ own: number; different: number; total: number; known: boolean }>`
    select count(*) filter (where user_id = ${userId}) as own, count(distinct emoji) as different,
      count(*) as total, coalesce(bool_or(emoji = ${emoji}), false) as known
    from reactions where message_id = ${messageId}`,
  )
  return rows[0] as { own: number; different: number; total: number; known: boolean }
}

/** Oldest first; only those with one emoji where one is given. */
export function listReactionRows(
  db: Db,
  messageId: number,
  emoji: string | undefined,
  paging: Paging,
): Promise<ReactionRow[]> {
  const query = db
    .selectFrom('reactions')
    .selectAll()
    .$if(emoji !== undefined, (some) => some.where('emoji', '=', emoji as string))
  return pageOf(query, paging, { of: ['message_id', sql`${messageId}::bigint`], id: sql`id` }).execute()
}

/** Locks the message, so that concurrent reactions cannot exceed a limit. */
export async function lockForReactions(tx: Tx, messageId: number) {
  await sql`select from messages where id = ${messageId} for no key update`.execute(tx)
}
