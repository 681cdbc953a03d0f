import { asObjects, filled, type JsonObject } from '../json.js'
import type { BotRecord, PersonRecord } from '../records.js'

/** Roles are words in a row: `system_user system_admin`. */
export function hasRole(roles: unknown, role: string): boolean {
  return (filled(roles) ?? '').split(/\s+/).includes(role)
}

function roleOf(user: JsonObject): PersonRecord['role'] {
  if (hasRole(user.roles, 'system_admin')) return 'admin'
  if (!hasRole(user.roles, 'system_guest')) return 'user'
  const chats = asObjects(user.teams).flatMap(({ channels }) => asObjects(channels))
  return chats.length === 1 ? 'guest' : 'multi_guest'
}

export function readPerson(user: JsonObject, id: string): PersonRecord {
  const deactivated = Number(user.delete_at) > 0
  return {
    kind: 'person',
    id,
    handle: id,
    first_name: filled(user.first_name) ?? filled(user.nickname) ?? id,
    last_name: filled(user.last_name),
    email: filled(user.email)?.toLowerCase() ?? null,
    title: filled(user.position),
    phone: null,
    time_zone: null,
    role: roleOf(user),
    state: deactivated ? 'suspended' : 'active',
    created_at: null,
  }
}

export function readBot(bot: JsonObject, id: string): BotRecord {
  return { kind: 'bot', id, handle: id, name: filled(bot.display_name) ?? id }
}

/** Posts by incoming webhooks carry the name of a person who did not write them. */
export const WEBHOOKS: BotRecord = {
  kind: 'bot',
  id: ' webhooks',
  handle: 'webhooks',
  name: 'Incoming webhooks',
}
