import type { Line } from '@parley/imports'
import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'
import { times } from './line-sql.js'

type Setting = Line<'setting'>

/** Settings of the workspace, every change of retention, and the DLP rules. */
export async function listSettings(db: Db): Promise<Setting[]> {
  const company = await read(
    db,
    sql<Setting>`
    select 'company' as setting, name, time_zone, integrations, personal_tokens, show_personal_data, perimeter, own_names,
      removed_members_keep_threads from workspace`,
  )
  const retention = await read(
    db,
    sql<Setting>`
    select 'retention' as setting, c.user_id as person_id, c.days, ${times('c', 'created_at')}
    from retention_changes c order by c.id`,
  )
  const rules = await read(
    db,
    sql<Setting>`
    select 'dlp_rule' as setting, r.id, r.name, r.priority, r.enabled, r.body, ${times('r', 'created_at', 'updated_at')}
    from dlp_rules r order by r.id`,
  )
  return [...company, ...retention, ...rules]
}

type Key = Line<'import_key'>

/** Keys of what came from elsewhere. Those of an import that kept the ids of its file would say nothing. */
export function listImportKeys(db: Db, after: Key, limit: number) {
  return read(
    db,
    sql<Key>`
    select k.source, k.workspace as source_workspace, k.kind, k.source_id, k.id
    from import_keys k join imports i on i.id = k.import_id
    where (k.source, k.workspace, k.kind, k.source_id)
        > (${after.source}, ${after.source_workspace}, ${after.kind}, ${after.source_id})
      and not (i.keeps_ids and k.source = i.source and k.workspace = i.workspace)
    order by k.source, k.workspace, k.kind, k.source_id limit ${limit}`,
  )
}
