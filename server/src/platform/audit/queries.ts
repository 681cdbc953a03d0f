import { type Insertable, sql } from 'kysely'
import type { Autocommit, DB, Tx } from '../db/index.js'
import { recordsOf } from './block-sql.js'

type Row = Omit<Insertable<DB['audit_events']>, 'id'> & { created_at: Date }

export async function insertRecords(db: Autocommit, rows: Row[]) {
  await db
    .insertInto('audit_events')
    .values(rows.map((row) => ({ ...row, id: sql<string>`audit_id(${row.created_at})` })))
    .execute()
}

/** The same record for each of many actors. */
export async function insertRecordForEach(tx: Tx, actorIds: readonly number[], row: Omit<Row, 'actor_id'>) {
  await sql`
    insert into audit_events
      (id, created_at, event_key, actor_id, entity_type, entity_id, details, ip_address, user_agent)
    select audit_id(${row.created_at}::timestamptz), ${row.created_at}, ${row.event_key}, actor_id, ${row.entity_type},
      ${row.entity_id}, ${row.details}::jsonb, ${row.ip_address}, ${row.user_agent}
    from unnest(${actorIds}::bigint[]) as actor_id`.execute(tx)
}

/** The record of a sent message, which the sealer will put into a block. */
export async function insertMessageRecord(
  tx: Tx,
  messageId: number,
  row: Pick<Row, 'created_at' | 'actor_id' | 'ip_address' | 'user_agent'>,
) {
  await sql`
    insert into audit_waiting (created_at, sequences, message_ids, actor_ids, ip_addresses, user_agents)
    values (${row.created_at}, array[nextval('audit_events_sequence_seq')], ${[messageId]}, ${[row.actor_id]},
      ${[row.ip_address]}, ${[row.user_agent]})`.execute(tx)
}

/** Gives records their place in the chain. */
export async function updateSeals(
  tx: Tx,
  ids: string[],
  positions: number[],
  before: Buffer[],
  hashes: Buffer[],
) {
  await sql`
    update audit_events e set position = s.position, previous_hash = s.previous_hash, hash = s.hash
    from unnest(${ids}::uuid[], ${positions}::bigint[], ${before}::bytea[], ${hashes}::bytea[])
      as s (id, position, previous_hash, hash)
    where e.id = s.id`.execute(tx)
}

/** A part of the chain: the records of the messages of one bucket. */
export interface SealedBlock {
  bucket: Date
  first_position: number
  position: number
  previous_hash: Buffer
  hash: Buffer
}

/** Moves waiting records of messages into blocks; a trigger refuses it to all but the sealer. */
export async function insertBlocks(tx: Tx, waitingIds: number[], blocks: readonly SealedBlock[]) {
  const column = <K extends keyof SealedBlock>(name: K) => blocks.map((block) => block[name])
  await sql`
    with b as (delete from audit_waiting where id = any(${waitingIds}::bigint[]) returning *)
    insert into audit_blocks (position, first_position, previous_hash, hash, bucket, first_message_id, last_message_id,
      created_times, sequences, message_ids, actor_ids, ip_addresses, user_agents)
    select s.position, s.first_position, s.previous_hash, s.hash, s.bucket, min(e.message_id), max(e.message_id),
      array_agg(e.created_at order by e.sequence), array_agg(e.sequence order by e.sequence),
      array_agg(e.message_id order by e.sequence), array_agg(e.actor_id order by e.sequence),
      array_agg(e.ip_address order by e.sequence), array_agg(e.user_agent order by e.sequence)
    from b, ${recordsOf('audit_waiting')},
      unnest(${column('position')}::bigint[], ${column('first_position')}::bigint[], ${column('previous_hash')}::bytea[],
        ${column('hash')}::bytea[], ${column('bucket')}::timestamptz[]) as s (position, first_position, previous_hash, hash, bucket)
    where s.bucket = audit_bucket(e.created_at)
    group by s.position, s.first_position, s.previous_hash, s.hash, s.bucket`.execute(tx)
}

/** Deletes the chain up to a position; a trigger refuses any other deletion. */
export async function deleteSealed(tx: Tx, upTo: number) {
  await sql`select set_config('parley.audit_retention', 'on', true)`.execute(tx)
  await tx.deleteFrom('audit_events').where('position', '<=', upTo).execute()
  await tx.deleteFrom('audit_blocks').where('position', '<=', upTo).execute()
}
