import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { FACTS, type FactRow, factsFrom } from './fact-queries.js'
import type { PushTarget } from './send-push.js'

/** A message and a browser that it may be sent to. */
export interface PushRow extends PushTarget, FactRow {}

/** Whether anybody gets pushes at all: most of what follows messages can be left out where nobody does. */
export async function hasSubscriptions(db: Db): Promise<boolean> {
  const row = await db.selectFrom('push_subscriptions').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Unread messages with the browsers of their readers. */
export function listPushRows(
  db: Db,
  messageIds: readonly number[],
  now: Date,
  subscriptionId: number | null = null,
): Promise<PushRow[]> {
  const browsers = sql`
    join push_subscriptions p on p.user_id = m.user_id
    join tokens k on k.id = p.token_id and (k.expires_at is null or k.expires_at > ${now})`
  return read(
    db,
    sql<PushRow>`
    select p.id, p.endpoint, p.p256dh, p.auth, ${FACTS}
    ${factsFrom(browsers)} and msg.id = any(${[...messageIds]})
      and (${subscriptionId}::bigint is null or p.id = ${subscriptionId}::bigint)
    order by msg.id`,
  )
}

export async function findShown(db: Db, subscriptionId: number, chatId: number): Promise<number> {
  const row = await db
    .selectFrom('shown_pushes')
    .select('message_id')
    .where('subscription_id', '=', subscriptionId)
    .where('chat_id', '=', chatId)
    .executeTakeFirst()
  return row?.message_id ?? 0
}

export interface Shown {
  subscription_id: number
  chat_id: number
  message_id: number
}

/** Notes what a browser shows of a chat, unless the browser is gone. */
export async function putShown(tx: Tx, { subscription_id, chat_id, message_id }: Shown) {
  await sql`
    insert into shown_pushes (subscription_id, chat_id, message_id)
    select id, ${chat_id}, ${message_id} from push_subscriptions where id = ${subscription_id}
    on conflict (subscription_id, chat_id) do update set message_id = excluded.message_id`.execute(tx)
}

export interface Reading {
  user_id: number
  chat_id: number
  /** Everything up to it is read; the largest number where the person left. */
  message_id: number
}

/** Takes out what browsers show although its reader has read it. */
export async function takeRead(tx: Tx, readings: readonly Reading[]): Promise<Shown[]> {
  const { rows } = await sql<Shown>`
    delete from shown_pushes x using push_subscriptions p,
      unnest(${readings.map(({ user_id }) => user_id)}::bigint[], ${readings.map(({ chat_id }) => chat_id)}::bigint[],
        ${readings.map(({ message_id }) => message_id)}::bigint[]) as r (user_id, chat_id, message_id)
    where p.id = x.subscription_id and p.user_id = r.user_id and x.chat_id = r.chat_id and x.message_id <= r.message_id
    returning x.subscription_id, x.chat_id, x.message_id`.execute(tx)
  return rows
}

/** Takes out messages that browsers show although they are deleted. */
export async function takeDeleted(
  tx: Tx,
  chatIds: readonly number[],
  messageIds: readonly number[],
): Promise<Shown[]> {
  const { rows } = await sql<Shown>`
    delete from shown_pushes where chat_id = any(${[...chatIds]}) and message_id = any(${[...messageIds]})
    returning subscription_id, chat_id, message_id`.execute(tx)
  return rows
}

export function findTarget(db: Db, id: number): Promise<PushTarget | undefined> {
  return db
    .selectFrom('push_subscriptions')
    .select(['id', 'endpoint', 'p256dh', 'auth'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findReadPointer(
  db: Db,
  subscriptionId: number,
  chatId: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('push_subscriptions as p')
    .innerJoin('chat_members as m', 'm.user_id', 'p.user_id')
    .select('m.read_message_id')
    .where('p.id', '=', subscriptionId)
    .where('m.chat_id', '=', chatId)
    .executeTakeFirst()
  return row?.read_message_id
}
