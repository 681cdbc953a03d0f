import type { Actor } from '../platform/actor.js'
import type { AuditRecord } from '../platform/audit/record.js'

/** An audit record about a bot; the actor is in the details too. */
export function auditOf(actor: Actor, bot_id: number, event_key: string, more: object = {}): AuditRecord {
  const details = { bot_id, actor_id: actor.user_id, ...more }
  return { event_key, entity_type: 'User', entity_id: bot_id, details }
}

/** What a token gained and lost; undefined where nothing. */
export function scopesChange(before: readonly string[], after: readonly string[]) {
  const added_scopes = after.filter((scope) => !before.includes(scope))
  const removed_scopes = before.filter((scope) => !after.includes(scope))
  return added_scopes.length + removed_scopes.length > 0 ? { added_scopes, removed_scopes } : undefined
}
