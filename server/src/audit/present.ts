import type { AuditEvent, AuditEventKey } from '@parley/contract'
import type { AuditRow } from './queries.js'

/** Ids are text here, as in no other list; those inside the details stay numbers. */
export function presentAuditEvent(row: AuditRow): AuditEvent {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    event_key: row.event_key as AuditEventKey,
    entity_id: row.entity_id,
    entity_type: row.entity_type,
    actor_id: String(row.actor_id),
    actor_type: 'User',
    details: row.details,
    ip_address: row.ip_address,
    user_agent: row.user_agent,
  }
}
