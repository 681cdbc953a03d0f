import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'
import { LOCKS } from '../platform/db/locks.js'
import { type Paging, pageOf } from '../platform/http/page.js'

export type ExportRow = Selectable<DB['exports']>

export function findExport(db: Db, id: number): Promise<ExportRow | undefined> {
  return db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst()
}

export function listExportRows(db: Db, paging: Paging): Promise<ExportRow[]> {
  return pageOf(db.selectFrom('exports').selectAll(), paging, { id: sql`id` }).execute()
}

/** One at a time orders, begins or ends an export. */
export async function lockExports(tx: Tx) {
  await sql`select pg_advisory_xact_lock(${LOCKS.order_export})`.execute(tx)
}

/** The export whose turn it is: the oldest that is not finished. */
export async function findTurn(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('exports')
    .select('id')
    .where('state', '=', 'building')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export async function findLastOrder(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('exports')
    .select('created_at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

export async function insertExport(tx: Tx, row: Insertable<DB['exports']>): Promise<number> {
  const { id } = await tx.insertInto('exports').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function listUnknownChats(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from unnest(${ids}::bigint[]) as id where not exists (select from chats c where c.id = id.id)`,
  )
  return rows.map(({ id }) => id)
}

/** Moves an export on from the step it was read at; false where another builder has done that step. */
export async function updateExport(
  tx: Tx,
  row: ExportRow,
  change: Updateable<DB['exports']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('exports')
    .set({ ...change, steps: row.steps + 1 })
    .where('id', '=', row.id)
    .where('steps', '=', row.steps)
    .where('state', '=', 'building')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The mail address of the requester of an export. */
export async function findEmail(db: Db, userId: number): Promise<string | null> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user?.email ?? null
}
