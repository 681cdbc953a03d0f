import type { DeletionPreview } from '@parley/contract'
import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

/** What belongs to somebody who is not deleted yet; undefined where there is no such person. */
export async function countBelongings(db: Db, userId: number): Promise<DeletionPreview | undefined> {
  const [row] = await read(
    db,
    sql<DeletionPreview>`
    select (select count(*) from chat_members m join chats c on c.id = m.chat_id
        where m.user_id = u.id and c.kind in ('conversation', 'channel')) as chats,
      (select count(*) from chats c where c.owner_id = u.id and c.kind in ('conversation', 'channel')) as chats_created,
      (select count(*) from bots b join users bu on bu.id = b.user_id
        where b.creator_id = u.id and bu.deleted_at is null) as bots,
      (select count(*) from tokens t where t.user_id = u.id) as tokens,
      (select count(*) from drafts d where d.user_id = u.id and d.next_send_at is not null) as scheduled
    from users u where u.id = ${userId} and u.deleted_at is null and not u.bot`,
  )
  return row
}
