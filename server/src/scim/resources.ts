import { countCharacters } from '../platform/http/fault-text.js'
import { invalidValue, ScimError } from './error.js'
import { lowerName } from './names.js'
import type { ScimGroupRow, ScimUserRow } from './queries.js'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const metaOf = (base: string, type: 'User' | 'Group', row: { id: number; created_at: Date }) => ({
  resourceType: type,
  created: row.created_at.toISOString(),
  location: `${base}/${type}s/${row.id}`,
})

export function presentUser(base: string, row: ScimUserRow) {
  const full = [row.first_name, row.last_name].filter(Boolean).join(' ')
  return {
    schemas: [USER, ENTERPRISE],
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.user_name,
    name: { givenName: row.first_name ?? '', familyName: row.last_name ?? '', formatted: full },
    displayName: full || row.nickname,
    ...(row.title && { title: row.title }),
    ...(row.time_zone && { timezone: row.time_zone }),
    active: !row.suspended,
    emails: row.email ? [{ value: row.email, type: 'work', primary: true }] : [],
    ...(row.phone_number && { phoneNumbers: [{ value: row.phone_number, type: 'work' }] }),
    roles: [{ value: row.role, primary: true }],
    groups: row.groups,
    [ENTERPRISE]: { ...(row.department && { department: row.department }) },
    meta: metaOf(base, 'User', row),
  }
}

export function presentGroup(base: string, row: ScimGroupRow, members: boolean) {
  return {
    schemas: [GROUP],
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.name,
    ...(members && { members: row.members }),
    meta: metaOf(base, 'Group', row),
  }
}

type Json = Record<string, unknown>

/** Attributes by their names in small letters. */
function objectOf(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [lowerName(name), inner]))
}

function attributesOf(body: unknown): Json {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ScimError(400, 'the body must be an object', 'invalidSyntax')
  return objectOf(body)
}

const LONGEST = 255

function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidValue(`${name} must be a text`)
  if (countCharacters(value) > LONGEST || value.includes('\0'))
    throw invalidValue(`${name} must have at most ${LONGEST} characters`)
  return value.trim()
}

/** The first value of a multi-valued attribute, the primary one before others. */
function firstValue(list: unknown, name: string): string | undefined {
  const items = (Array.isArray(list) ? list : []).map(objectOf)
  const chosen = items.find(({ primary }) => isTrue(primary)) ?? items[0]
  return textOf(chosen?.value, `${name}.value`)
}

function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}

function flagOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean' || /^(true|false)$/i.test(String(value))) return isTrue(value)
  throw invalidValue('active must be true or false')
}

/** A person as the provider wants them. */
export interface WantedUser {
  user_name: string
  external_id: string | null
  active: boolean | undefined
  card: {
    email: string
    first_name: string
    last_name: string
    phone_number: string
    title: string
    department: string
    time_zone: string
    role?: string
  }
}

const ASSIGNABLE = /^(admin|user|multi_guest)$/

export function readUser(body: unknown): WantedUser {
  const given = attributesOf(body)
  const user_name = textOf(given.username, 'userName')
  if (!user_name) throw invalidValue('userName is required')
  const name = objectOf(given.name)
  const role = firstValue(given.roles, 'roles')
  const first_name = textOf(name.givenname, 'name.givenName') || textOf(given.displayname, 'displayName')
  return {
    user_name,
    external_id: textOf(given.externalid, 'externalId') || null,
    active: flagOf(given.active),
    card: {
      email: firstValue(given.emails, 'emails') || user_name,
      first_name: first_name || user_name,
      last_name: textOf(name.familyname, 'name.familyName') ?? '',
      phone_number: firstValue(given.phonenumbers, 'phoneNumbers') ?? '',
      title: textOf(given.title, 'title') ?? '',
      department: textOf(objectOf(given[ENTERPRISE.toLowerCase()]).department, 'department') ?? '',
      time_zone: textOf(given.timezone, 'timezone') ?? '',
      ...(role && ASSIGNABLE.test(role) && { role }),
    },
  }
}

export interface WantedGroup {
  name: string
  external_id: string | null
  /** Undefined where the provider says nothing of them. */
  member_ids: number[] | undefined
}

export function readGroup(body: unknown): WantedGroup {
  const given = attributesOf(body)
  const name = textOf(given.displayname, 'displayName')
  if (!name) throw invalidValue('displayName is required')
  const members = Array.isArray(given.members) ? given.members.map((item) => objectOf(item).value) : undefined
  const ids = members?.map((value) => {
    if (/^\d{1,15}$/.test(String(value))) return Number(value)
    throw invalidValue(`members: there is nobody with the id ${value}`)
  })
  return {
    name,
    external_id: textOf(given.externalid, 'externalId') || null,
    member_ids: ids && [...new Set(ids)].sort((one, other) => one - other),
  }
}
