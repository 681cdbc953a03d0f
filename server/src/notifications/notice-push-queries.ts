import type { NoticeSubject } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'
import type { PushTarget } from './send-push.js'

/** An unread notice and a browser that it may be sent to. */
export interface NoticePushRow extends PushTarget {
  user_id: number
  notice_id: number
  kind: string
  payload: NoticeSubject & { text?: string }
  language: string | null
  time_zone: string
  level: string | null
  quiet_from: string | null
  quiet_to: string | null
  sound: boolean | null
  /** Of the chat that the notice is about. */
  muted_until: Date | null
}

function listRows(db: Db, now: Date, which: RawBuilder<unknown>): Promise<NoticePushRow[]> {
  return read(
    db,
    sql<NoticePushRow>`
    select p.id, p.endpoint, p.p256dh, p.auth, n.user_id, n.id as notice_id, n.kind, n.payload,
      f.value ->> 'locale' as language, coalesce(nullif(u.time_zone, ''), w.time_zone) as time_zone,
      s.level, s.quiet_from, s.quiet_to, s.sound, c.muted_until
    from notices n
    join push_subscriptions p on p.user_id = n.user_id
    join tokens k on k.id = p.token_id and (k.expires_at is null or k.expires_at > ${now})
    join users u on u.id = n.user_id and u.deleted_at is null and not u.suspended
    cross join workspace w
    left join notification_settings s on s.user_id = n.user_id
    left join preferences f on f.user_id = n.user_id
    left join chat_notifications c on c.user_id = n.user_id and to_jsonb(c.chat_id) = n.payload -> 'chat_id'
    where n.read_at is null and ${which} order by n.id`,
  )
}

/** The notices of these events, with the browsers of their people. */
export function listNoticePushRows(db: Db, eventIds: readonly number[], now: Date): Promise<NoticePushRow[]> {
  return listRows(db, now, sql`n.event_id = any(${[...eventIds]})`)
}

export async function findNoticePushRow(
  db: Db,
  noticeId: number,
  subscriptionId: number,
  now: Date,
): Promise<NoticePushRow | undefined> {
  const [row] = await listRows(db, now, sql`n.id = ${noticeId} and p.id = ${subscriptionId}`)
  return row
}

export interface ShownNotice {
  subscription_id: number
  notice_id: number
}

/** Notes that a browser shows a notice; nothing where the browser or the notice is gone. */
export async function putShownNotice(tx: Tx, { subscription_id, notice_id }: ShownNotice) {
  await sql`
    insert into shown_notices (subscription_id, notice_id)
    select p.id, n.id from push_subscriptions p, notices n where p.id = ${subscription_id} and n.id = ${notice_id}
    on conflict do nothing`.execute(tx)
}

export async function isNoticeShown(db: Db, { subscription_id, notice_id }: ShownNotice): Promise<boolean> {
  const row = await db
    .selectFrom('shown_notices')
    .select('notice_id')
    .where('subscription_id', '=', subscription_id)
    .where('notice_id', '=', notice_id)
    .executeTakeFirst()
  return row !== undefined
}

/** Takes out those of the notices that browsers show although they are read. */
export async function takeReadNotices(tx: Tx, noticeIds: readonly number[]): Promise<ShownNotice[]> {
  const { rows } = await sql<ShownNotice>`
    delete from shown_notices x using notices n
    where x.notice_id = any(${[...noticeIds]}::bigint[]) and n.id = x.notice_id and n.read_at is not null
    returning x.subscription_id, x.notice_id`.execute(tx)
  return rows
}
