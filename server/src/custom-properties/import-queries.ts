import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

export async function insertImportedProperty(
  tx: Tx,
  property: { name: string; data_type: string },
  now: Date,
): Promise<{ id: number; made: boolean }> {
  const { rows: known } = await sql<{ id: number }>`
    select id from custom_properties where entity_type = 'User' and lower(name) = lower(${property.name}) limit 1`.execute(
    tx,
  )
  if (known[0]) return { id: known[0].id, made: false }
  const { rows } = await sql<{ id: number }>`
    insert into custom_properties (entity_type, name, data_type, created_at)
    values ('User', ${property.name}, ${property.data_type}, ${now}) returning id`.execute(tx)
  return { id: (rows[0] as { id: number }).id, made: true }
}

/** Values that somebody has already are left. */
export async function insertImportedValues(
  tx: Tx,
  values: readonly { user_id: number; property_id: number; value: string }[],
): Promise<number> {
  if (values.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into user_properties (user_id, property_id, value)
    select distinct on (user_id, property_id) user_id, property_id, value
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as x (user_id bigint, property_id bigint, value text)
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** The values go with the fields. */
export async function deleteImportedProperties(tx: Tx, ids: readonly number[]) {
  await sql`delete from custom_properties where id = any(${ids})`.execute(tx)
}

/** Values of people who are taken out. */
export async function deleteValuesOf(tx: Tx, userIds: readonly number[]) {
  await sql`delete from user_properties where user_id = any(${userIds})`.execute(tx)
}
