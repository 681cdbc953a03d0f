import { type Selectable, sql, type Updateable } from 'kysely'
import type { Autocommit, DB, Db, Tx } from '../db/index.js'
import { type Paging, pageOf } from './page.js'

export interface ApprovalRow extends Selectable<DB['approvals']> {
  token_name: string | null
  /** Whose token it is. */
  holder_id: number
}

interface Asked {
  token_id: number
  operation: string
  request: object
  request_hash: Buffer
  created_at: Date
  /** Requests from before this need a new approval. */
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

interface Question {
  id: number
  state: string
  /** The person who is asked. */
  user_id: number
  /** It was not asked before. */
  made: boolean
}

/** So that a program in a loop neither fills the list of a person nor tells them thousands of times. */
const WAITING_AT_MOST = 100

/** The question that waits, or was refused, for this request; made where there is none, undefined where too many wait. */
export async function askApproval(tx: Tx, asked: Asked): Promise<Question | undefined> {
  const { rows } = await sql<Question>`
    with known as (
      select id, state, user_id, false as made from approvals where token_id = ${asked.token_id} and request_hash = ${asked.request_hash}
        and state in ('pending', 'refused') and created_at > ${asked.since} order by id desc limit 1
    ), made as (
      insert into approvals (token_id, user_id, operation, request, request_hash, created_at)
      select t.id, coalesce(b.creator_id, t.user_id), ${asked.operation}, ${JSON.stringify(asked.request)}::jsonb,
        ${asked.request_hash}, ${asked.created_at}
      from tokens t left join bots b on b.user_id = t.user_id
      where t.id = ${asked.token_id} and not exists (select from known)
        and (select count(*) from approvals where token_id = ${asked.token_id} and state = 'pending'
          and created_at > ${asked.since}) < ${sql.lit(WAITING_AT_MOST)}
      returning id, state, user_id, true as made
    )
    select * from known union all select * from made`.execute(tx)
  return rows[0]
}

export async function findApprovalState(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('approvals').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state
}

const withTokens = (db: Db | Tx) =>
  db
    .selectFrom('approvals')
    .innerJoin('tokens', 'tokens.id', 'approvals.token_id')
    .selectAll('approvals')
    .select(['tokens.name as token_name', 'tokens.user_id as holder_id'])

export function listApprovalsOf(db: Db, userId: number, paging: Paging): Promise<ApprovalRow[]> {
  const asked = withTokens(db).where('approvals.user_id', '=', userId)
  return pageOf(asked, paging, { id: sql`approvals.id` }).execute()
}

export function lockApproval(tx: Tx, userId: number, id: number): Promise<ApprovalRow | undefined> {
  return withTokens(tx)
    .where('approvals.id', '=', id)
    .where('approvals.user_id', '=', userId)
    .forUpdate('approvals')
    .executeTakeFirst()
}

export async function updateApproval(tx: Tx, id: number, change: Updateable<DB['approvals']>) {
  await tx.updateTable('approvals').set(change).where('id', '=', id).execute()
}

export async function deleteOldApprovals(db: Autocommit, before: Date) {
  await db.deleteFrom('approvals').where('created_at', '<', before).execute()
}
