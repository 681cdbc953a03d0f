import type { CustomPropertyDefinition, CustomPropertyEntity } from '@parley/contract'
import { sql } from 'kysely'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import type { PropertyValue } from './values.js'

const SHOWN = ['id', 'name', 'data_type'] as const

export async function listDefinitions(
  db: Db,
  entity_type: CustomPropertyEntity,
): Promise<CustomPropertyDefinition[]> {
  const rows = await db
    .selectFrom('custom_properties')
    .select(SHOWN)
    .where('entity_type', '=', entity_type)
    .orderBy('id')
    .execute()
  return rows as CustomPropertyDefinition[]
}

export async function insertDefinition(
  tx: Tx,
  ctx: Context,
  definition: { entity_type: CustomPropertyEntity; name: string; data_type: string },
) {
  const row = await tx
    .insertInto('custom_properties')
    .values({ ...definition, created_at: now(ctx.clock) })
    .returning(SHOWN)
    .executeTakeFirstOrThrow()
  return row as CustomPropertyDefinition
}

export async function lockDefinition(tx: Tx, id: number) {
  const query = tx.selectFrom('custom_properties').select(SHOWN).where('id', '=', id).forUpdate()
  return (await query.executeTakeFirst()) as CustomPropertyDefinition | undefined
}

export async function renameDefinition(tx: Tx, id: number, name: string) {
  await tx.updateTable('custom_properties').set({ name }).where('id', '=', id).execute()
}

export function deleteDefinition(tx: Tx, id: number) {
  return tx.deleteFrom('custom_properties').where('id', '=', id).returning('id').executeTakeFirst()
}

/** In how many people or tasks a field is filled in; undefined where there is no such field. */
export async function countValues(db: Db, id: number): Promise<{ values: number } | undefined> {
  const [row] = await read(
    db,
    sql<{ values: number }>`
    select (select count(*) from user_properties v where v.property_id = p.id)
      + (select count(*) from task_properties v where v.property_id = p.id) as values
    from custom_properties p where p.id = ${id}`,
  )
  return row
}

const TABLES = {
  User: { table: sql.table('user_properties'), owner: sql.ref('user_id') },
  Task: { table: sql.table('task_properties'), owner: sql.ref('task_id') },
}

/** Writes the named values of one person or task and leaves the others; says whether anything changed. */
export async function writeValues(
  tx: Tx,
  entity: CustomPropertyEntity,
  ownerId: number,
  values: readonly PropertyValue[],
): Promise<boolean> {
  const { table, owner } = TABLES[entity]
  const cleared = values.filter(({ value }) => value === '').map(({ id }) => id)
  const given = values.filter(({ value }) => value !== '')
  const { rows } = await sql<{ changed: boolean }>`
    with given as (
      select * from unnest(${given.map(({ id }) => id)}::bigint[], ${given.map(({ value }) => value)}::text[]) as v(id, value)
    ), gone as (
      delete from ${table} where ${owner} = ${ownerId} and property_id = any(${cleared}::bigint[]) returning 1
    ), written as (
      insert into ${table} as t (${owner}, property_id, value) select ${ownerId}, id, value from given
      on conflict (${owner}, property_id) do update set value = excluded.value where t.value <> excluded.value
      returning 1
    )
    select exists (select from gone) or exists (select from written) as changed`.execute(tx)
  return rows[0]?.changed ?? false
}
