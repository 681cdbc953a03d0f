import { type Insertable, type Selectable, sql } from 'kysely'
import { type Autocommit, type DB, type Db, read, type Tx } from '../platform/db/index.js'

type Row = Selectable<DB['push_subscriptions']>
export interface SubscriptionRow extends Row {
  user_agent: string | null
}

export function listSubscriptions(db: Db, userId: number, now: Date): Promise<SubscriptionRow[]> {
  return read(
    db,
    sql<SubscriptionRow>`
    select p.*, k.user_agent from push_subscriptions p join tokens k on k.id = p.token_id
    where p.user_id = ${userId} and (k.expires_at is null or k.expires_at > ${now}) order by p.id desc`,
  )
}

export async function findSubscription(
  db: Db,
  userId: number,
  id: number,
  now: Date,
): Promise<SubscriptionRow | undefined> {
  return (await listSubscriptions(db, userId, now)).find((row) => row.id === id)
}

/** Keeps a subscription: the newest of its session, and of its browser, which may have changed hands. */
export async function putSubscription(tx: Tx, row: Insertable<DB['push_subscriptions']>): Promise<number> {
  await sql`delete from push_subscriptions where token_id = ${row.token_id} and endpoint <> ${row.endpoint}`.execute(
    tx,
  )
  const { user_id, token_id, p256dh, auth } = row
  const kept = await tx
    .insertInto('push_subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ user_id, token_id, p256dh, auth }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return kept.id
}

export async function deleteSubscription(db: Autocommit | Tx, id: number) {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute()
}

export async function noteSent(db: Autocommit, id: number, last_sent_at: Date) {
  await db.updateTable('push_subscriptions').set({ last_sent_at }).where('id', '=', id).execute()
}
