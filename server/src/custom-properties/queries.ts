import type { CustomPropertyDefinition, CustomPropertyEntity } from '@parley/contract'
import type { Db } from '../platform/db/index.js'

export async function listDefinitions(
  db: Db,
  entity_type: CustomPropertyEntity,
): Promise<CustomPropertyDefinition[]> {
  const rows = await db
    .selectFrom('custom_properties')
    .select(['id', 'name', 'data_type'])
    .where('entity_type', '=', entity_type)
    .orderBy('id')
    .execute()
  return rows as CustomPropertyDefinition[]
}
