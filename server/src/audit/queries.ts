import type { AuditEventKey } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { OF_MESSAGES, recordsOf } from '../platform/audit/block-sql.js'
import { type Db, read } from '../platform/db/index.js'
import type { Owner } from '../platform/db/only-sql.js'
import { type KeysetColumns, keyset, type Paging } from '../platform/http/page.js'

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

/** What finds the least, of what there is an index of; columns have the names of the filter. */
function ownerOf({ event_key, actor_id, entity_id }: AuditFilter): Owner | undefined {
  if (entity_id !== undefined) return ['entity_id', sql`${entity_id}::text`]
  if (actor_id !== undefined) return ['actor_id', sql`${actor_id}::bigint`]
  return event_key && ['event_key', sql`${event_key}::text`]
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

/** Whether records of messages can be among those asked for; they are kept in blocks. */
function asksForMessages({ event_key, entity_type, entity_id }: AuditFilter): boolean {
  return (
    (event_key ?? OF_MESSAGES.event_key) === OF_MESSAGES.event_key &&
    (entity_type ?? OF_MESSAGES.entity_type) === OF_MESSAGES.entity_type &&
    /^[1-9]\d{0,14}$/.test(entity_id ?? '1')
  )
}

const BUCKET_MS = 10_000

/** The page in whole buckets: every block that can hold a record of it. */
function inBuckets(paging: Paging): Paging {
  const { at } = paging.position
  const time = Math.floor(new Date(at?.value ?? 0).getTime() / BUCKET_MS) * BUCKET_MS
  const bucket = at && { value: null, id: new Date(time).toISOString() }
  return { ...paging, position: { ...paging.position, at: bucket, inclusive: true } }
}

/** Which blocks can hold the records asked for: there are indexes of time, actor and message. */
function blockConditions({ from, to, actor_id, entity_id }: AuditFilter) {
  const list = [sql`true`]
  if (from) list.push(sql`b.bucket >= audit_bucket(${from})`)
  if (to) list.push(sql`b.bucket <= audit_bucket(${to})`)
  if (actor_id !== undefined) list.push(sql`b.actor_ids @> array[${actor_id}::bigint]`)
  if (entity_id !== undefined)
    list.push(sql`int8range(b.first_message_id, b.last_message_id, '[]') @> ${entity_id}::bigint`)
  return sql.join(list, sql` and `)
}

const columns = sql`id, sequence, created_at, event_key, actor_id, entity_type, entity_id, details, ip_address, user_agent`

/** The records of blocks, or of messages that wait, as rows with the columns of all records. */
function messagesOf(table: 'audit_blocks' | 'audit_waiting') {
  return sql`${sql.table(table)} b, ${recordsOf(table)}, lateral (
    select audit_message_uuid(e.created_at, e.message_id) as id, e.sequence, e.created_at,
      ${OF_MESSAGES.event_key}::text as event_key, e.actor_id, ${OF_MESSAGES.entity_type}::text as entity_type,
      e.message_id::text as entity_id, '{}'::jsonb as details, e.ip_address, e.user_agent) record`
}

const BY_TIME: KeysetColumns = { id: sql`sequence`, value: sql`created_at`, cast: 'timestamptz' }

/**
 * Sealed rows come from an index, and blocks one bucket after the other; the few records that are not sealed yet are looked
 * through.
 */
export async function listAudit(db: Db, filter: AuditFilter, paging: Paging): Promise<AuditRow[]> {
  const { where, orderBy, limit } = keyset(paging, BY_TIME)
  const of = ownerOf(filter)
  const sealed = of ? keyset(paging, { ...BY_TIME, of }) : { where, orderBy }
  const asked = sql`${where} and ${conditions(filter)}`
  const rows = (from: RawBuilder<unknown>) =>
    sql`(select ${columns} from ${from} and ${asked} order by ${orderBy} limit ${limit})`
  const parts = [
    sql`(select ${columns} from audit_events where position is not null and ${sealed.where}
      and ${conditions({ ...filter, ...(of && { [of[0]]: undefined }) })} order by ${sealed.orderBy} limit ${limit})`,
    rows(sql`audit_events where hash is null`),
  ]
  if (asksForMessages(filter)) {
    const buckets = keyset(inBuckets(paging), { id: sql`b.bucket` })
    const inOrder = sql`select record.*, b.bucket from ${messagesOf('audit_blocks')}
      where ${buckets.where} and ${blockConditions(filter)}`
    parts.push(
      sql`(select ${columns} from (${inOrder}) b where ${asked} order by ${buckets.orderBy}, ${orderBy} limit ${limit})`,
      rows(sql`(select record.* from ${messagesOf('audit_waiting')}) b where true`),
    )
  }
  return read(db, sql<AuditRow>`${sql.join(parts, sql` union all `)} order by ${orderBy} limit ${limit}`)
}
