import { createHash } from 'node:crypto'

/** A record of the audit log as it is hashed: time and details as the database writes them. */
export interface AuditRow {
  id: string
  sequence: number
  created_at_text: string
  event_key: string
  actor_id: number
  entity_type: string
  entity_id: string
  details_text: string
  ip_address: string | null
  user_agent: string | null
}

/** The hash of a record at its place: over the hash before it and everything the record says. */
export function auditHash(previous: Buffer, position: number, row: AuditRow): Buffer {
  const said = JSON.stringify([
    position,
    row.id,
    row.sequence,
    row.created_at_text,
    row.event_key,
    row.actor_id,
    row.entity_type,
    row.entity_id,
    row.details_text,
    row.ip_address,
    row.user_agent,
  ])
  return createHash('sha256').update(previous).update(said).digest()
}
