import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

/** Defines fields whose names are free; gives the ids of those that were made. */
export async function insertPortableProperties(
  tx: Tx,
  properties: readonly JsonRow<'custom_properties'>[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    insert into custom_properties (id, entity_type, name, data_type, created_at)
    select id, entity_type, name, data_type, created_at
    from jsonb_populate_recordset(null::custom_properties, ${JSON.stringify(properties)}::jsonb)
    on conflict do nothing returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Fields by what they are of and their names, in small letters. */
export async function listPropertiesNamed(tx: Tx, names: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, entity_type || ' ' || lower(name) as name from custom_properties
    where lower(name) in (select lower(name) from unnest(${names}::text[]) as name)`.execute(tx)
  return new Map(rows.map(({ id, name }) => [name, id]))
}

export async function insertPortableTaskValues(tx: Tx, values: readonly JsonRow<'task_properties'>[]) {
  if (values.length === 0) return
  await sql`
    insert into task_properties (task_id, property_id, value)
    select task_id, property_id, value from jsonb_populate_recordset(null::task_properties, ${JSON.stringify(values)}::jsonb)
    on conflict do nothing`.execute(tx)
}
