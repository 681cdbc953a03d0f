import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

/** A rule of a portable file; false where its priority is another's. */
export async function insertPortableRule(tx: Tx, rule: JsonRow<'dlp_rules'>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into dlp_rules (id, name, priority, enabled, body, created_at, updated_at)
    select id, name, priority, enabled, body, created_at, updated_at
    from jsonb_populate_record(null::dlp_rules, ${JSON.stringify(rule)}::jsonb)
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}
