import type { AuditRow } from '@parley/imports/audit-hash'
import { sql } from 'kysely'
import { OF_MESSAGES, recordsOf, timeText } from '../platform/audit/block-sql.js'
import { BLOCK_AT_MOST } from '../platform/audit/queries.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { LOCKS } from '../platform/db/locks.js'

/** A row as it is hashed. The database writes time and details as text, so that no digit of them can slip through. */
export interface ChainRow extends AuditRow {
  position: number | null
  /** Of the records of a block, only the first has the hash before it, and only the last its own. */
  in_block: boolean
  previous_hash: Buffer | null
  hash: Buffer | null
}

const chainColumns = sql`
  id, sequence, ${timeText(sql`created_at`)} as created_at_text, event_key,
  actor_id, entity_type, entity_id, details::text as details_text, ip_address, user_agent, position, previous_hash, hash, false as in_block`

/** What is hashed of a record of a message, `e`: the same columns, but for those of its place in the chain. */
const messageColumns = sql`
  audit_message_uuid(e.created_at, e.message_id) as id, e.sequence, ${timeText(sql`e.created_at`)} as created_at_text,
  ${OF_MESSAGES.event_key}::text as event_key, e.actor_id, ${OF_MESSAGES.entity_type}::text as entity_type,
  e.message_id::text as entity_id, '{}' as details_text, e.ip_address, e.user_agent`

const EMPTY = {
  anchor_position: 0,
  anchor_hash: Buffer.alloc(0) as Buffer,
  anchor_seal: null as Buffer | null,
  head_position: 0,
  head_hash: Buffer.alloc(0) as Buffer,
  head_seal: null as Buffer | null,
}

export type Chain = typeof EMPTY

const ENDS = Object.keys(EMPTY) as (keyof Chain)[]

/** Where the kept chain begins and ends. By its columns: a check reads it in a snapshot, which a plan for fewer columns would end. */
export async function findChain(db: Db): Promise<Chain> {
  return (await db.selectFrom('audit_chain').select(ENDS).executeTakeFirst()) ?? EMPTY
}

/** Moves one end of the chain; the first caller makes the row. */
export async function moveChain(tx: Tx, change: Partial<Chain>) {
  await tx
    .insertInto('audit_chain')
    .values({ id: 1, ...change })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute()
}

/** Waits for the right to change the chain, which ends with the transaction. */
export async function lockChain(tx: Tx) {
  await sql`select pg_advisory_xact_lock(${LOCKS.seal_audit})`.execute(tx)
}

/** The same without waiting: false where another process has it. Blocks may then be added by this transaction. */
export async function tryLockChain(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS.seal_audit}) as mine, set_config('parley.audit_sealing', 'on', true)`.execute(
    tx,
  )
  return rows[0]?.mine === true
}

export function listUnsealed(tx: Tx, limit: number): Promise<ChainRow[]> {
  return read(
    tx,
    sql<ChainRow>`
    select ${chainColumns} from audit_events where hash is null order by sequence limit ${limit}`,
  )
}

export async function hasUnsealed(db: Db): Promise<boolean> {
  const [found] = await read(
    db,
    sql<{ waits: boolean }>`
    select exists (select from audit_waiting) or exists (select from audit_events where hash is null) as waits`,
  )
  return found?.waits === true
}

export async function countUnsealed(db: Db): Promise<number> {
  const [counted] = await read(
    db,
    sql<{ unsealed: number }>`
    select (select count(*) from audit_events where hash is null)
      + (select coalesce(sum(cardinality(message_ids)), 0)::bigint from audit_waiting) as unsealed`,
  )
  return counted?.unsealed ?? 0
}

/** So many rows of the chain are read together at most. It has to be at least a block: parts end where blocks end. */
const PART_AT_MOST = 2 * BLOCK_AT_MOST

/** The next rows of the chain behind a position, in its order; none at its end. */
export function listSealed(db: Db, after: number): Promise<ChainRow[]> {
  return read(
    db,
    sql<ChainRow>`
    with piece as (
      (select position, 1 as records from audit_events where position > ${after} order by position limit ${PART_AT_MOST})
      union all
      (select position, position - first_position + 1 from audit_blocks where position > ${after}
        order by position limit ${PART_AT_MOST})
    ), part as (
      select max(position) as last from (select position, sum(records) over (order by position) as total from piece) p
      where total <= ${PART_AT_MOST}
    )
    select ${chainColumns} from audit_events where position > ${after} and position <= (select last from part)
    union all
    select ${messageColumns}, b.first_position + e.place - 1, case when e.place = 1 then b.previous_hash end,
      case when b.first_position + e.place - 1 = b.position then b.hash end, true
    from audit_blocks b, ${recordsOf('audit_blocks')} where b.position > ${after} and b.position <= (select last from part)
    order by position`,
  )
}

/** How far the chain from its first kept row on is from before a time: the last position of what may be removed. */
export async function findOldEnd(db: Db, before: Date, upTo: number): Promise<number | undefined> {
  const [found] = await read(
    db,
    sql<{ last: number | null }>`
    with piece as (
      select position, created_at < ${before} as old from audit_events where position <= ${upTo}
      union all
      select position, bucket + interval '10 seconds' <= ${before} from audit_blocks where position <= ${upTo}
    )
    select max(position) as last from piece
    where old and position < coalesce((select min(position) from piece where not old), ${upTo + 1})`,
  )
  return found?.last ?? undefined
}
