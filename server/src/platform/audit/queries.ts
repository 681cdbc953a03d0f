import { type Insertable, sql } from 'kysely'
import type { Autocommit, DB, Tx } from '../db/index.js'

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

/** Deletes the chain up to a position; a trigger refuses any other deletion. */
export async function deleteSealed(tx: Tx, upTo: number) {
  await sql`select set_config('parley.audit_retention', 'on', true)`.execute(tx)
  await tx.deleteFrom('audit_events').where('position', '<=', upTo).execute()
}
