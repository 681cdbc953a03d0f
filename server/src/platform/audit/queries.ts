import { type Insertable, sql } from 'kysely'
import { plainArray } from '../db/array.js'
import type { Autocommit, DB, Tx } from '../db/index.js'
import { timeText } from './block-sql.js'

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

/** So many records are sealed together, and in one block, at most. */
export const BLOCK_AT_MOST = 1000

/** The records of the messages of one statement, which have one time. */
export interface WaitingRow {
  bucket: Date
  /** With all digits that the database has. */
  created_at: string
  /** The same as it is hashed, and as the ids of the records begin. */
  created_at_text: string
  created_at_hex: string
  sequences: number[]
  message_ids: number[]
  actor_ids: number[]
  ip_addresses: (string | null)[]
  user_agents: (string | null)[]
}

/**
 * Takes the oldest waiting records of messages, to be put into blocks; a trigger refuses it to all but the sealer. Arrays come as
 * JSON, which the driver parses at once; arrays it takes apart character by character.
 */
export async function deleteWaiting(tx: Tx): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    delete from audit_waiting where id = any(array(
      select id from (
        select id, sum(cardinality(message_ids)) over (order by id) as total from audit_waiting order by id limit ${BLOCK_AT_MOST}
      ) oldest where total <= ${BLOCK_AT_MOST}
    ))
    returning audit_bucket(created_at) as bucket, created_at::text as created_at,
      ${timeText(sql`created_at`)} as created_at_text,
      encode(substring(int8send((extract(epoch from created_at) * 1000)::bigint) from 3), 'hex') as created_at_hex,
      to_json(sequences) as sequences, to_json(message_ids) as message_ids, to_json(actor_ids) as actor_ids,
      to_json(ip_addresses) as ip_addresses, to_json(user_agents) as user_agents`.execute(tx)
  return rows
}

/** The record of a message as its block stores it; the rest follows from it. */
export interface BlockRecord {
  created_at: string
  sequence: number
  message_id: number
  actor_id: number
  ip_address: string | null
  user_agent: string | null
}

/** A part of the chain: the records of the messages of one bucket. */
export interface SealedBlock {
  bucket: Date
  first_position: number
  position: number
  previous_hash: Buffer
  hash: Buffer
  records: BlockRecord[]
}

/** A trigger refuses it to all but the sealer. */
export async function insertBlock(tx: Tx, { records, ...block }: SealedBlock) {
  const column = <K extends keyof BlockRecord>(name: K) => records.map((record) => record[name])
  const ids = column('message_id')
  // Many records have one time, and reading a time takes the database longer than looking one up.
  const times = [...new Set(column('created_at'))]
  const placeOf = new Map(times.map((time, index) => [time, index + 1]))
  const places = records.map(({ created_at }) => placeOf.get(created_at) as number)
  await sql`
    insert into audit_blocks (position, first_position, previous_hash, hash, bucket, first_message_id, last_message_id,
      created_times, sequences, message_ids, actor_ids, ip_addresses, user_agents)
    values (${block.position}, ${block.first_position}, ${block.previous_hash}, ${block.hash}, ${block.bucket},
      ${Math.min(...ids)}, ${Math.max(...ids)},
      array(select (${times}::timestamptz[])[place] from unnest(${plainArray(places)}::int[]) with ordinality as p (place, n) order by n),
      ${plainArray(column('sequence'))}::bigint[], ${plainArray(ids)}::bigint[], ${plainArray(column('actor_id'))}::bigint[],
      ${column('ip_address')}::text[], ${column('user_agent')}::text[])`.execute(tx)
}

/** Deletes the chain up to a position; a trigger refuses any other deletion. */
export async function deleteSealed(tx: Tx, upTo: number) {
  await sql`select set_config('parley.audit_retention', 'on', true)`.execute(tx)
  await tx.deleteFrom('audit_events').where('position', '<=', upTo).execute()
  await tx.deleteFrom('audit_blocks').where('position', '<=', upTo).execute()
}
