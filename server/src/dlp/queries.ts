import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'
import { type Paging, pageOf } from '../platform/http/page.js'

export type DlpRuleRow = Selectable<DB['dlp_rules']>

export function listRules(db: Db, paging: Paging): Promise<DlpRuleRow[]> {
  return pageOf(db.selectFrom('dlp_rules').selectAll(), paging, { id: sql`priority` }).execute()
}

/** Those that are on, in the order in which they run. */
export function listEnabledRules(db: Db): Promise<DlpRuleRow[]> {
  return db
    .selectFrom('dlp_rules')
    .selectAll()
    .where('enabled', '=', true)
    .orderBy('priority', 'desc')
    .execute()
}

export function insertRule(tx: Tx, rule: Insertable<DB['dlp_rules']>): Promise<DlpRuleRow> {
  return tx.insertInto('dlp_rules').values(rule).returningAll().executeTakeFirstOrThrow()
}

export function updateRule(tx: Tx, id: number, change: Updateable<DB['dlp_rules']>) {
  return tx
    .updateTable('dlp_rules')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteRule(tx: Tx, id: number): Promise<boolean> {
  const gone = await tx.deleteFrom('dlp_rules').where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}

/** Whether somebody from outside reads the chat, or the chat that a thread hangs in. */
export async function hasGuests(db: Db, chatIds: readonly number[]): Promise<boolean> {
  const rows = await read(
    db,
    sql<{ some: boolean }>`
    select exists (
      select from chat_members m join users u on u.id = m.user_id
      where m.chat_id = any(${chatIds}) and u.role in ('guest', 'multi_guest') and u.deleted_at is null) as some`,
  )
  return rows[0]?.some ?? false
}
