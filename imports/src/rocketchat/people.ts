import { asIds, asObject, asObjects, filled, type JsonObject } from '../json.js'
import { placeholderOf } from '../people.js'
import {
  type BotRecord,
  type ImportRecord,
  type PersonRecord,
  type PropertyValueRecord,
  type Remark,
  remark,
} from '../records.js'
import { idOf, timeOf } from './documents.js'
import { Damage, type Dump } from './dump.js'
import type { Pictures } from './pictures.js'

/** What is read of an account. `services` holds hashes and tokens: it is not among them. */
const FIELDS = new Set([
  '_id',
  'username',
  'name',
  'emails',
  'roles',
  'type',
  'active',
  'createdAt',
  'customFields',
  '__rooms',
])

export interface People {
  people: Map<string, PersonRecord>
  bots: Map<string, BotRecord>
  byUsername: Map<string, string>
  /** Full names; null where several people have one. */
  byName: Map<string, string | null>
  /** What those were called who wrote and have no account any more. */
  former: Map<string, string>
  /** Rooms of each person, for dumps that hold no subscriptions. */
  rooms: Map<string, string[]>
}

/** Posts of integrations carry the account of whoever set them up. */
export const INTEGRATIONS: BotRecord = {
  kind: 'bot',
  id: ' integrations',
  handle: 'integrations',
  name: 'Integrations',
}

function isBot(user: JsonObject, id: string, roles: readonly string[]): boolean {
  return (
    user.type === 'bot' ||
    user.type === 'app' ||
    id === 'rocket.cat' ||
    roles.includes('bot') ||
    roles.includes('app')
  )
}

function roleOf(roles: readonly string[]): PersonRecord['role'] {
  if (roles.includes('admin')) return 'admin'
  if (roles.includes('user')) return 'user'
  return roles.includes('guest') || roles.includes('anonymous') ? 'multi_guest' : 'user'
}

function personOf(user: JsonObject, id: string, roles: readonly string[]): PersonRecord {
  const username = filled(user.username)
  const [first = id, ...rest] = (filled(user.name) ?? username ?? id).split(/\s+/)
  const mail = asObjects(user.emails).flatMap(({ address }) => filled(address) ?? [])[0]
  return {
    kind: 'person',
    id,
    handle: username ?? filled(user.name) ?? id,
    first_name: first,
    last_name: rest.length > 0 ? rest.join(' ') : null,
    email: mail?.toLowerCase() ?? null,
    title: null,
    phone: null,
    time_zone: null,
    role: roleOf(roles),
    state: user.active === false ? 'suspended' : 'active',
    created_at: timeOf(user.createdAt),
  }
}

/** Everybody whom the dump describes. */
export async function* readPeople(
  dump: Dump,
  pictures: Pictures,
): AsyncGenerator<ImportRecord | Remark, People> {
  const found: People = {
    people: new Map(),
    bots: new Map(),
    byUsername: new Map(),
    byName: new Map(),
    former: new Map(),
    rooms: new Map(),
  }
  const keepRooms = !dump.has('rocketchat_subscription')
  const properties = new Set<string>()
  for await (const user of dump.read('users', FIELDS, 'person')) {
    const id = user instanceof Damage ? null : idOf(user._id)
    if (user instanceof Damage) yield user.remark
    else if (id === null || found.people.has(id) || found.bots.has(id))
      yield remark('skipped', 'person', id === null ? 'has no id' : 'is there twice', id ?? '')
    else {
      yield { ...add(found, user, id), ...pictures.of(id, filled(user.username)) }
      if (keepRooms) found.rooms.set(id, asIds(user.__rooms))
      if (found.people.has(id)) yield* readFields(user, id, properties)
    }
  }
  return found
}

function add(found: People, user: JsonObject, id: string): PersonRecord | BotRecord {
  const roles = asIds(user.roles)
  const username = filled(user.username)
  if (username) found.byUsername.set(username, id)
  if (isBot(user, id, roles)) {
    const name = filled(user.name) ?? username ?? `Bot ${id}`
    const bot: BotRecord = { kind: 'bot', id, handle: username ?? name, name }
    found.bots.set(id, bot)
    return bot
  }
  const person = personOf(user, id, roles)
  const name = filled(user.name)
  if (name) found.byName.set(name, found.byName.has(name) ? null : id)
  found.people.set(id, person)
  return person
}

function* readFields(user: JsonObject, person_id: string, known: Set<string>): Iterable<ImportRecord> {
  for (const [name, value] of Object.entries(asObject(user.customFields))) {
    const text = typeof value === 'boolean' ? String(value) : filled(value)
    if (!text) continue
    if (!known.has(name)) {
      known.add(name)
      yield { kind: 'property', id: name, name, data_type: 'string' }
    }
    const told: PropertyValueRecord = { kind: 'property_value', property_id: name, person_id, value: text }
    yield told
  }
}

/** Somebody who is named by an id that no account has: removed accounts exist only where they wrote. */
export function* knownOr(found: People, id: string): Iterable<PersonRecord> {
  if (found.people.has(id) || found.bots.has(id)) return
  const person = placeholderOf(id, found.former.get(id) ?? null)
  found.people.set(id, person)
  yield person
}

export function nameOf({ people, bots }: People, id: string): string {
  const person = people.get(id)
  if (person) return [person.first_name, person.last_name].filter(Boolean).join(' ')
  return bots.get(id)?.name ?? id
}
