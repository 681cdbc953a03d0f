import type { GroupRule } from '@parley/contract'
import { firstCharacters } from '../platform/http/fault-text.js'
import { findUnstorable } from '../platform/http/read-body.js'
import type { ProviderRow } from './provider-queries.js'

/** What a provider says of somebody who has just signed in there. */
export interface Claims extends Record<string, unknown> {
  sub: string
}

/** A person as the provider knows them. */
export interface Stranger {
  subject: string
  email: string | null
  email_verified: boolean
  first_name: string | null
  last_name: string | null
  nickname: string | null
  /** Undefined where the provider leaves it open. */
  groups: string[] | undefined
}

const LONGEST = 255
/** What PostgreSQL stores in no text. */
const UNSTORABLE = /\0|\p{Surrogate}/gu

/** A name as it can be kept: providers check theirs less. */
function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return firstCharacters(value.replaceAll(UNSTORABLE, '').trim(), LONGEST) || null
}

/** A mail is taken as it is or not at all: another one may be that of somebody else. */
function emailOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > LONGEST || findUnstorable(value) !== undefined) return null
  return value.trim() || null
}

/** Groups as a list or as one name. A provider that has too many for a token only says that there are some. */
function groupsIn(claims: Claims, name: string): string[] | undefined {
  const given = claims[name]
  const elsewhere = claims._claim_names
  if (typeof elsewhere === 'object' && elsewhere !== null && name in elsewhere) return undefined
  if (typeof given === 'string') return [given]
  return Array.isArray(given) ? given.filter((group) => typeof group === 'string') : []
}

export function readClaims(
  provider: Pick<ProviderRow, 'groups_claim' | 'trust_email'>,
  claims: Claims,
): Stranger {
  const { email_verified } = claims
  return {
    subject: claims.sub,
    email: emailOf(claims.email),
    // Some providers send it as a text.
    email_verified: provider.trust_email || email_verified === true || email_verified === 'true',
    first_name: nameOf(claims.given_name) ?? nameOf(claims.name),
    last_name: nameOf(claims.family_name),
    nickname: nameOf(claims.preferred_username),
    groups: groupsIn(claims, provider.groups_claim),
  }
}

const RANKS = ['admin', 'user', 'multi_guest'] as const

/** The role that the groups give; undefined where no rule has a role. */
export function roleByGroups(rules: readonly GroupRule[], groups: readonly string[]) {
  if (!rules.some(({ role }) => role)) return undefined
  const given = rules.filter(({ group }) => groups.includes(group)).map(({ role }) => role)
  return RANKS.find((role) => given.includes(role)) ?? 'user'
}

/** Tags after the rules: those that a rule names follow the groups, others stay. */
export function tagsByGroups(
  rules: readonly GroupRule[],
  groups: readonly string[],
  has: readonly string[],
): string[] {
  const lower = (names: readonly (string | null)[]) => new Set(names.map((name) => name?.toLowerCase()))
  const ruled = rules.filter(({ tag }) => tag)
  const managed = lower(ruled.map(({ tag }) => tag))
  const given = ruled.filter(({ group }) => groups.includes(group)).map(({ tag }) => tag as string)
  const kept = has.filter((name) => !managed.has(name.toLowerCase()) || lower(given).has(name.toLowerCase()))
  const missing = given.filter((name) => !lower(kept).has(name.toLowerCase()))
  return [
    ...kept,
    ...missing.filter(
      (name, at) => missing.findIndex((one) => one.toLowerCase() === name.toLowerCase()) === at,
    ),
  ]
}
