import { sql } from 'kysely'
import { writableByEditorsSql } from '../chats/bot-queries.js'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { PUBLIC_BOT_SQL, seenBy } from '../users/queries.js'

/** The other side of a personal chat, and whether a person may write to it where it is a bot. */
interface OtherSide {
  id: number
  bot: boolean
  gone: boolean
  /** A bot that is public, that the sender may edit, that shares an active chat with them, or that wrote to them before. */
  reachable: boolean
}

export async function findOtherSide(
  db: Db,
  actor: Actor,
  userId: number,
  chatId: number | null,
): Promise<OtherSide | undefined> {
  const rows = await read(
    db,
    sql<OtherSide>`
    select u.id, u.bot, u.suspended or u.deleted_at is not null as gone,
      not u.bot or u.id = ${actor.user_id}
        or exists (select from bots b cross join workspace w where b.user_id = u.id
          and (${sql.raw(PUBLIC_BOT_SQL)} or ${writableByEditorsSql(actor)}))
        or exists (select from messages m where m.chat_id = ${chatId}::bigint and m.user_id = u.id)
        or exists (
          select from chat_members mine join chat_members theirs on theirs.chat_id = mine.chat_id
            join chats c on c.id = mine.chat_id and c.kind in ('conversation', 'channel') and c.archived_at is null
          where mine.user_id = ${actor.user_id} and theirs.user_id = u.id) as reachable
    from users u where u.id = ${userId} and (u.deleted_at is not null or ${seenBy(actor)})`,
  )
  return rows[0]
}
