import type { AuditEventKey } from '@parley/contract'
import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'

export interface AuditFilter {
  from?: Date
  to?: Date
  event_key?: AuditEventKey
  actor_id?: number
  entity_id?: string
  entity_type?: string
}

export interface AuditRow {
  id: string
  sequence: number
  created_at: Date
  event_key: string
  actor_id: number
  entity_type: string
  entity_id: string
  details: Record<string, unknown>
  ip_address: string | null
  user_agent: string | null
}

function conditions({ from, to, event_key, actor_id, entity_id, entity_type }: AuditFilter) {
  const list = [sql`true`]
  if (from) list.push(sql`created_at >= ${from}`)
  if (to) list.push(sql`created_at <= ${to}`)
  if (event_key) list.push(sql`event_key = ${event_key}`)
  if (actor_id !== undefined) list.push(sql`actor_id = ${actor_id}`)
  if (entity_id !== undefined) list.push(sql`entity_id = ${entity_id}`)
  if (entity_type !== undefined) list.push(sql`entity_type = ${entity_type}`)
  return sql.join(list, sql` and `)
}

/** Sealed rows come from an index; the few that are not sealed yet are looked through. */
export async function listAudit(db: Db, filter: AuditFilter, paging: Paging): Promise<AuditRow[]> {
  const { where, orderBy, limit } = keyset(paging, {
    id: sql`sequence`,
    value: sql`created_at`,
    cast: 'timestamptz',
  })
  const asked = sql`${where} and ${conditions(filter)}`
  const columns = sql`id, sequence, created_at, event_key, actor_id, entity_type, entity_id, details, ip_address, user_agent`
  const rows = await read(
    db,
    sql<AuditRow>`
    (select ${columns} from audit_events where position is not null and ${asked} order by ${orderBy} limit ${limit})
    union all
    (select ${columns} from audit_events where hash is null and ${asked} order by ${orderBy} limit ${limit})
    order by ${orderBy} limit ${limit}`,
  )
  return rows
}
