import type { ApiErrorItem, DlpActionType } from '@parley/contract'
import { RE2JS } from 're2js'
import { BLANK, countCharacters, lengthText, NO_ITEMS, oneOf, typeText } from '../platform/http/fault-text.js'
import { Problem, problemItem } from '../platform/problem.js'

export const CHANNEL_TYPES = ['personal', 'discussion', 'channel', 'thread'] as const
export const USER_ROLES = ['owner', 'admin', 'editor', 'member', 'subscriber', 'not_member'] as const
const ACTIONS: readonly DlpActionType[] = ['AUDIT_LOG', 'BLOCK', 'BLOCK_AND_AUDIT_LOG']
const PATTERN_AT_MOST = 2000
const MESSAGE_AT_MOST = 1000
const CONDITIONS_AT_MOST = 100
const DEPTH_AT_MOST = 10

export interface Scope {
  to_external: boolean
  channel_type: (typeof CHANNEL_TYPES)[number][] | null
  user_role: (typeof USER_ROLES)[number][] | null
}

export type Condition =
  | { type: 'regex'; pattern: string; min_hits: number; max_hits: number | null }
  | { type: 'keyword'; value: string; min_hits: number; max_hits: number | null }
  | Group

/** Both lists given: both must hold. */
export interface Group {
  all?: Condition[]
  any?: Condition[]
}

export interface Rule {
  scope: Scope
  conditions: Group
  action: { type: DlpActionType; message: string | null }
}

type Given = Record<string, unknown>

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads the body of a rule and keeps every fault, each under its place in the body. */
class Reader {
  readonly faults: ApiErrorItem[] = []
  private count = 0

  private refuse(code: 'blank' | 'invalid' | 'inclusion', at: string, message: string, value?: unknown) {
    this.faults.push(problemItem(code, { key: at, value, message }))
  }

  private refuseLong(at: string, message: string) {
    this.faults.push(problemItem('too_long', { key: at, message }))
  }

  private words<T extends string>(words: readonly T[], value: unknown, at: string): T[] | null {
    if (value === undefined) return null
    if (!Array.isArray(value) || value.length === 0) this.refuse('invalid', at, NO_ITEMS, value)
    else if (!value.every((word) => words.includes(word))) this.refuse('inclusion', at, oneOf(words), value)
    else return value
    return null
  }

  scope(value: unknown): Scope {
    if (value !== undefined && !isObject(value))
      this.refuse('invalid', 'body.scope', typeText('object'), value)
    const { to_external = false, channel_type, user_role } = isObject(value) ? value : {}
    if (typeof to_external !== 'boolean')
      this.refuse('invalid', 'body.scope.to_external', typeText('boolean'), to_external)
    return {
      to_external: to_external === true,
      channel_type: this.words(CHANNEL_TYPES, channel_type, 'body.scope.channel_type'),
      user_role: this.words(USER_ROLES, user_role, 'body.scope.user_role'),
    }
  }

  private hits(given: Given, at: string) {
    const { min_hits = 1, max_hits = null } = given
    const min = Number.isInteger(min_hits) && (min_hits as number) >= 1
    if (!min) this.refuse('invalid', `${at}.min_hits`, 'must be a whole number from 1', min_hits)
    const max = max_hits === null || (Number.isInteger(max_hits) && (max_hits as number) >= Number(min_hits))
    if (min && !max)
      this.refuse('invalid', `${at}.max_hits`, `must be a whole number from ${min_hits}`, max_hits)
    return { min_hits: Number(min_hits), max_hits: max_hits === null ? null : Number(max_hits) }
  }

  private pattern(given: Given, at: string): string {
    const { pattern } = given
    if (typeof pattern !== 'string' || pattern === '') this.refuse('blank', `${at}.pattern`, BLANK)
    else if (countCharacters(pattern) > PATTERN_AT_MOST)
      this.refuseLong(`${at}.pattern`, lengthText(PATTERN_AT_MOST, countCharacters(pattern)))
    else if (!compiles(pattern))
      this.refuse('invalid', `${at}.pattern`, 'must be a regular expression of RE2', pattern)
    return String(pattern)
  }

  private keyword(given: Given, at: string): string {
    const { value } = given
    if (typeof value !== 'string' || value.trim() === '') this.refuse('blank', `${at}.value`, BLANK)
    else if (countCharacters(value) > PATTERN_AT_MOST)
      this.refuseLong(`${at}.value`, lengthText(PATTERN_AT_MOST, countCharacters(value)))
    return String(value).trim()
  }

  private condition(given: unknown, at: string, depth: number): Condition {
    this.count += 1
    if (this.count === CONDITIONS_AT_MOST + 1)
      this.refuseLong('body.conditions', `at most ${CONDITIONS_AT_MOST} conditions`)
    if (this.count > CONDITIONS_AT_MOST) return {}
    if (!isObject(given)) this.refuse('invalid', at, typeText('object'), given)
    else if (given.type === 'regex')
      return { type: 'regex', pattern: this.pattern(given, at), ...this.hits(given, at) }
    else if (given.type === 'keyword')
      return { type: 'keyword', value: this.keyword(given, at), ...this.hits(given, at) }
    else if (given.type === undefined) return this.group(given, at, depth + 1)
    else this.refuse('inclusion', `${at}.type`, oneOf(['regex', 'keyword']), given.type)
    return {}
  }

  group(given: unknown, at: string, depth: number): Group {
    const group: Group = {}
    if (!isObject(given) || (given.all === undefined && given.any === undefined)) {
      this.refuse('blank', at, 'must hold all or any, a list of conditions')
      return group
    }
    if (depth > DEPTH_AT_MOST) {
      this.refuseLong(at, `at most ${DEPTH_AT_MOST} groups inside each other`)
      return group
    }
    for (const name of ['all', 'any'] as const) {
      const list = given[name]
      if (list === undefined) continue
      if (!Array.isArray(list) || list.length === 0) this.refuse('blank', `${at}.${name}`, NO_ITEMS)
      else group[name] = list.map((item, index) => this.condition(item, `${at}.${name}.${index}`, depth))
    }
    return group
  }

  action(value: unknown): Rule['action'] {
    const { type, message = null } = isObject(value) ? value : {}
    if (type === undefined) this.refuse('blank', 'body.action.type', oneOf(ACTIONS))
    else if (!ACTIONS.includes(type as DlpActionType))
      this.refuse('inclusion', 'body.action.type', oneOf(ACTIONS), type)
    if (message !== null && typeof message !== 'string')
      this.refuse('invalid', 'body.action.message', typeText('string'), message)
    else if (message && countCharacters(message) > MESSAGE_AT_MOST)
      this.refuseLong('body.action.message', lengthText(MESSAGE_AT_MOST, countCharacters(message)))
    const text = typeof message === 'string' && message.trim() !== '' ? message : null
    return { type: type as DlpActionType, message: text }
  }
}

function compiles(pattern: string): boolean {
  try {
    RE2JS.compile(pattern)
    return true
  } catch {
    return false
  }
}

/** The body of a valid rule; otherwise every fault of it is reported. */
export function readRule(body: Given): Rule {
  const reader = new Reader()
  const rule = {
    scope: reader.scope(body.scope),
    conditions: reader.group(body.conditions, 'body.conditions', 1),
    action: reader.action(body.action),
  }
  if (reader.faults.length > 0) throw Problem.of(422, reader.faults)
  return rule
}
