import { filled, type JsonObject } from '../json.js'
import type { BotRecord, PersonRecord } from '../records.js'
import { timeOfUnits } from '../times.js'

const ADMIN_UP_TO = 200
const GUEST = 600

function roleOf(row: JsonObject): PersonRecord['role'] {
  const role = Number(row.role)
  if (role <= ADMIN_UP_TO) return 'admin'
  if (role < GUEST) return 'user'
  return 'guest'
}

function handleOf(row: JsonObject, id: string): string {
  return filled(row.full_name) ?? `user ${id}`
}

/** The addresses of those who did not agree to be exported are invented. */
export function readPerson(row: JsonObject, id: string): PersonRecord {
  const dummy = row.is_mirror_dummy === true
  const [first = `user ${id}`, ...rest] = handleOf(row, id).split(/\s+/)
  return {
    kind: 'person',
    id,
    handle: handleOf(row, id),
    first_name: first,
    last_name: rest.length > 0 ? rest.join(' ') : null,
    email: dummy ? null : ((filled(row.delivery_email) ?? filled(row.email))?.toLowerCase() ?? null),
    title: null,
    phone: null,
    time_zone: filled(row.timezone),
    role: roleOf(row),
    state: dummy ? 'placeholder' : row.is_active === false ? 'suspended' : 'active',
    created_at: secondsOf(row.date_joined),
  }
}

export function readBot(row: JsonObject, id: string): BotRecord {
  const name = filled(row.full_name) ?? filled(row.email)?.split('@')[0] ?? `bot ${id}`
  return { kind: 'bot', id, handle: name, name }
}

/** Seconds with a fraction to microseconds. */
export function secondsOf(value: unknown): number | null {
  return timeOfUnits(value, 1_000_000)
}
