import { asObject, filled, isObject, type JsonObject } from '../json.js'
import type { BotRecord, ImportRecord, PersonRecord, Remark } from '../records.js'
import { remark } from '../records.js'

/** Everybody that users.json names, by id. */
export interface Directory {
  people: Map<string, PersonRecord>
  bots: Map<string, BotRecord>
  /** `B…` of messages → the user that the bot is. */
  botUsers: Map<string, string>
}

/** The service itself, which most exports do not list among the users. */
export const SLACKBOT = 'USLACKBOT'

function roleOf(user: JsonObject): PersonRecord['role'] {
  if (user.is_admin || user.is_owner || user.is_primary_owner) return 'admin'
  if (!user.is_restricted && !user.is_ultra_restricted) return 'user'
  return user.is_ultra_restricted ? 'guest' : 'multi_guest'
}

function namesOf(user: JsonObject, profile: JsonObject): { first_name: string; last_name: string | null } {
  const first = filled(profile.first_name)
  if (first) return { first_name: first, last_name: filled(profile.last_name) }
  const whole =
    filled(profile.real_name) ?? filled(user.real_name) ?? filled(profile.display_name) ?? filled(user.name)
  const [one = 'Unknown', ...rest] = (whole ?? '').split(/\s+/).filter(Boolean)
  return { first_name: one, last_name: rest.length > 0 ? rest.join(' ') : null }
}

export function readPerson(user: JsonObject, id: string): PersonRecord {
  const profile = asObject(user.profile)
  const suspended = Boolean(user.deleted)
  return {
    kind: 'person',
    id,
    handle: filled(profile.display_name) ?? filled(user.name) ?? id,
    ...namesOf(user, profile),
    email: filled(profile.email)?.toLowerCase() ?? null,
    title: filled(profile.title),
    phone: filled(profile.phone),
    time_zone: filled(user.tz),
    role: roleOf(user),
    state: suspended ? 'suspended' : 'active',
    created_at: null,
  }
}

/** A bot that messages name and users.json may not. */
export function botOf(id: string, name: string | null): BotRecord {
  return { kind: 'bot', id, handle: name ?? id, name: name ?? `Bot ${id}` }
}

/** The picture of somebody, by id. */
export type FindPicture = (id: string) => { picture: string } | undefined

export async function readDirectory(users: AsyncIterable<unknown>, findPicture: FindPicture) {
  const directory: Directory = { people: new Map(), bots: new Map(), botUsers: new Map() }
  const remarks: Remark[] = []
  for await (const user of users) {
    const id = isObject(user) ? filled(user.id) : null
    if (!isObject(user) || !id) remarks.push(remark('skipped', 'person', 'has no id', ''))
    else if (directory.people.has(id) || directory.bots.has(id))
      remarks.push(remark('skipped', 'person', 'is there twice', id))
    else addUser(directory, user, id, findPicture(id))
  }
  return { directory, remarks }
}

function addUser(directory: Directory, user: JsonObject, id: string, picture: ReturnType<FindPicture>) {
  const profile = asObject(user.profile)
  const botId = filled(profile.bot_id)
  if (botId) directory.botUsers.set(botId, id)
  if (user.is_bot || id === SLACKBOT)
    directory.bots.set(id, {
      ...botOf(id, filled(profile.real_name) ?? filled(user.real_name) ?? filled(user.name)),
      ...picture,
    })
  else directory.people.set(id, { ...readPerson(user, id), ...picture })
}

/** Fields of profiles; their labels are in no export, so that each is named by its id. */
export async function* readProperties(users: AsyncIterable<unknown>): AsyncIterable<ImportRecord> {
  const known = new Set<string>()
  for await (const user of users) {
    const { id: person, profile } = asObject(user)
    const person_id = filled(person)
    for (const [id, field] of Object.entries(asObject(asObject(profile).fields))) {
      const value = filled(asObject(field).value)
      if (!person_id || !value) continue
      if (!known.has(id)) yield { kind: 'property', id, name: id, data_type: 'string' }
      known.add(id)
      yield { kind: 'property_value', property_id: id, person_id, value }
    }
  }
}
