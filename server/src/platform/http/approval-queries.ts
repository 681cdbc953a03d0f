import { type Selectable, sql } from 'kysely'
import type { Autocommit, DB, Db, Tx } from '../db/index.js'
import { type Paging, pageOf } from './page.js'

export type ApprovalRow = Selectable<DB['approvals']>

interface Asked {
  token_id: number
  operation: string
  request: object
  request_hash: Buffer
  created_at: Date
  /** Requests from before this are asked about anew. */
  since: Date
}

/** Uses up the approval of this request; whether there was one. */
export async function useApproval(db: Autocommit, asked: Pick<Asked, 'token_id' | 'request_hash' | 'since'>) {
  const { rows } = await sql`
    update approvals set state = 'used' where id = (
      select id from approvals where token_id = ${asked.token_id} and request_hash = ${asked.request_hash}
        and state = 'approved' and created_at > ${asked.since} order by id limit 1 for update)
    and state = 'approved' returning id`.execute(db)
  return rows.length > 0
}

/** The question that waits, or was refused, for this request; made where there is none. */
export async function askApproval(db: Autocommit, asked: Asked): Promise<{ id: number; state: string }> {
  const { rows } = await sql<{ id: number; state: string }>`
    with known as (
      select id, state from approvals where token_id = ${asked.token_id} and request_hash = ${asked.request_hash}
        and state in ('pending', 'refused') and created_at > ${asked.since} order by id desc limit 1
    ), made as (
      insert into approvals (token_id, user_id, operation, request, request_hash, created_at)
      select t.id, coalesce(b.creator_id, t.user_id), ${asked.operation}, ${JSON.stringify(asked.request)}::jsonb,
        ${asked.request_hash}, ${asked.created_at}
      from tokens t left join bots b on b.user_id = t.user_id
      where t.id = ${asked.token_id} and not exists (select from known)
      returning id, state
    )
    select * from known union all select * from made`.execute(db)
  return rows[0] as { id: number; state: string }
}

export function listApprovalsOf(db: Db, userId: number, paging: Paging): Promise<ApprovalRow[]> {
  const asked = db.selectFrom('approvals').selectAll().where('user_id', '=', userId)
  return pageOf(asked, paging, { id: sql`approvals.id` }).execute()
}

export function lockApproval(tx: Tx, userId: number, id: number): Promise<ApprovalRow | undefined> {
  return tx
    .selectFrom('approvals')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

export function decide(tx: Tx, id: number, state: string, decided_at: Date): Promise<ApprovalRow> {
  return tx
    .updateTable('approvals')
    .set({ state, decided_at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteOldApprovals(db: Autocommit, before: Date) {
  await db.deleteFrom('approvals').where('created_at', '<', before).execute()
}
