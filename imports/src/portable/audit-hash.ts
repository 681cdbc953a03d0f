import { hash } from 'node:crypto'

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

/** Room for what nearly all records say: a new buffer for each, or a hash object, takes twice the time. */
const ROOM = Buffer.alloc(8192)

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
  const bytes_at_most = previous.length + 3 * said.length
  const room = bytes_at_most > ROOM.length ? Buffer.alloc(bytes_at_most) : ROOM
  const end = previous.copy(room) + room.write(said, previous.length)
  return Buffer.from(hash('sha256', room.subarray(0, end), 'binary'), 'binary')
}
