import { hash } from 'node:crypto'
import type { AuditRow } from '@parley/imports/audit-hash'
import { OF_MESSAGES } from '../platform/audit/block-sql.js'
import type { BlockRecord, WaitingRow } from '../platform/audit/queries.js'

/** A record of a message that waits, as it is hashed and as its block stores it. */
export interface WaitingRecord extends AuditRow, BlockRecord {
  bucket: Date
}

/** The same as `audit_message_uuid`, by which the database makes the id of a stored record. */
function uuidOf(created_at_hex: string, message_id: number): string {
  const md5 = hash('md5', `${OF_MESSAGES.event_key} ${message_id}`)
  const variant = '89ab'[Number.parseInt(md5.charAt(16), 16) & 3]
  return `${created_at_hex.slice(0, 8)}-${created_at_hex.slice(8)}-7${md5.slice(13, 16)}-${variant}${md5.slice(17, 20)}-${md5.slice(20)}`
}

/** Every record of the rows, bucket by bucket. Sequences of rows cross each other where several processes send. */
export function unpackWaiting(rows: readonly WaitingRow[]): WaitingRecord[] {
  const records = rows.flatMap((row) =>
    row.message_ids.map((message_id, index) => ({
      bucket: row.bucket,
      created_at: row.created_at,
      message_id,
      id: uuidOf(row.created_at_hex, message_id),
      sequence: row.sequences[index] as number,
      created_at_text: row.created_at_text,
      ...OF_MESSAGES,
      actor_id: row.actor_ids[index] as number,
      entity_id: String(message_id),
      details_text: '{}',
      ip_address: row.ip_addresses[index] as string | null,
      user_agent: row.user_agents[index] as string | null,
    })),
  )
  return records.sort((a, b) => a.bucket.getTime() - b.bucket.getTime() || a.sequence - b.sequence)
}
