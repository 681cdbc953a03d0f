import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Autocommit, DB, Db, Tx } from '../platform/db/index.js'
import { type Paging, pageOf } from '../platform/http/page.js'

export type OrderRow = Selectable<DB['import_orders']>

export function insertOrder(tx: Tx, order: Insertable<DB['import_orders']>): Promise<OrderRow> {
  return tx.insertInto('import_orders').values(order).returningAll().executeTakeFirstOrThrow()
}

export function findOrder(db: Db, id: number): Promise<OrderRow | undefined> {
  return db.selectFrom('import_orders').selectAll().where('id', '=', id).executeTakeFirst()
}

export function listOrders(db: Db, paging: Paging): Promise<OrderRow[]> {
  return pageOf(db.selectFrom('import_orders').selectAll(), paging, { id: sql`id` }).execute()
}

export async function updateOrder(db: Autocommit, id: number, change: Updateable<DB['import_orders']>) {
  await db.updateTable('import_orders').set(change).where('id', '=', id).execute()
}
