import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { FACTS, type FactRow, factsFrom } from './fact-queries.js'

/** Who has digests on, is away, and has had none for as long as was asked for. */
const DUE = (now: Date) => sql`
  s.mail_digest <> 'off' and u.email is not null and u.deleted_at is null and not u.suspended
  and coalesce(u.last_activity_at, u.created_at) <= ${now}::timestamptz - interval '1 hour'
  and (s.digest_sent_at is null or s.digest_sent_at <= ${now}::timestamptz
    - case s.mail_digest when 'hourly' then interval '1 hour' else interval '1 day' end)`

export async function listDue(db: Db, now: Date): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ user_id: number }>`
    select s.user_id from notification_settings s join users u on u.id = s.user_id where ${DUE(now)} order by s.user_id`,
  )
  return rows.map(({ user_id }) => user_id)
}

export interface DuePerson {
  email: string
  since: Date
}

/** Whom to write to, and what time on; undefined where the person came back, or has had a digest meanwhile. */
export async function findDue(db: Db, userId: number, now: Date): Promise<DuePerson | undefined> {
  const [row] = await read(
    db,
    sql<DuePerson>`
    select u.email, greatest(coalesce(s.digest_sent_at, '-infinity'), ${now}::timestamptz - interval '7 days') as since
    from notification_settings s join users u on u.id = s.user_id
    where s.user_id = ${userId} and ${DUE(now)}`,
  )
  return row
}

/** Unread messages of the chats of a person since then, newest first. */
export function listUnreadFacts(db: Db, userId: number, since: Date, limit: number): Promise<FactRow[]> {
  return read(
    db,
    sql<FactRow>`
    select ${FACTS} ${factsFrom(sql``)} and m.user_id = ${userId} and c.last_message_at > ${since}
      and msg.created_at > ${since}
    order by msg.id desc limit ${limit}`,
  )
}

export async function updateDigestSent(tx: Tx, userId: number, digest_sent_at: Date) {
  await tx
    .updateTable('notification_settings')
    .set({ digest_sent_at })
    .where('user_id', '=', userId)
    .execute()
}
