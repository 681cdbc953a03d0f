import type { ErrorObject } from 'ajv'
import type { Facts } from '../problem.js'

const WORDS_AT_MOST = 40

/** The rule about a text that people read. */
export const BLANK = 'must hold at least one character that is not a space'
/** The rule about a list that cannot be empty. */
export const NO_ITEMS = 'must hold at least one item'
/** The rule about a point in time. */
export const TIME = 'must be a time such as 2030-01-31T09:30:00Z'
export const ZONE = 'must be a time zone such as Europe/Berlin'
export const NETWORK = 'must be addresses or ranges such as 10.0.0.0/8'

const TYPES: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

function joined(words: readonly unknown[]): string {
  const shown = words.slice(0, WORDS_AT_MOST).map((word) => (word === null ? 'null' : String(word)))
  return shown.join(', ') + (words.length > WORDS_AT_MOST ? ', …' : '')
}

/** The rule about a closed list of words. */
export function oneOf(words: readonly unknown[]): string {
  return `must be one of ${joined(words)}`
}

/** The rule about a type, by its name in JSON Schema. */
export function typeText(type: string | readonly string[]): string {
  return `must be ${[type]
    .flat()
    .map((name) => TYPES[name] ?? name)
    .join(' or ')}`
}

/** The rule about the length of a text. */
export function lengthText(limit: number, got: number): string {
  return `at most ${limit} characters, got ${got}`
}

/** The rule about the length of a list. */
export function countText(limit: number, got: number): string {
  return `at most ${limit} items, got ${got}`
}

/** The rule about a number. */
export function rangeText({ minimum, maximum }: { minimum?: number; maximum?: number }): string {
  if (minimum !== undefined && maximum !== undefined) return `must be from ${minimum} to ${maximum}`
  return minimum !== undefined ? `must be at least ${minimum}` : `must be at most ${maximum}`
}

/** Characters of a text as schemas count them: a surrogate pair is one of them, where JavaScript counts two. */
export function countCharacters(text: string): number {
  return [...text].length
}

/** The beginning of a text; no character is cut in two. */
export function firstCharacters(text: string, count: number): string {
  return [...text].slice(0, count).join('')
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? countCharacters(value) : (value as { length: number }).length
}

function tags(branches: readonly { properties?: { type?: { const?: unknown } } }[]): unknown[] {
  return branches.map(({ properties }) => properties?.type?.const).filter((tag) => tag !== undefined)
}

/** What a failed keyword of a schema means: the rule, its limit, and what was given. */
export function faultText(error: ErrorObject): string {
  const { keyword, params, data, schema } = error
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'enum':
      return oneOf(params.allowedValues)
    case 'const':
      return `must be ${params.allowedValue}`
    case 'maxLength':
      return lengthText(params.limit, lengthOf(data))
    case 'minLength':
      return params.limit > 1
        ? `at least ${params.limit} characters, got ${lengthOf(data)}`
        : 'at least 1 character, got none'
    case 'maxItems':
      return countText(params.limit, lengthOf(data))
    case 'minItems':
      return params.limit > 1
        ? `at least ${params.limit} items, got ${lengthOf(data)}`
        : 'at least 1 item, got none'
    case 'maxProperties':
      return `at most ${params.limit} fields, got ${Object.keys(data as object).length}`
    case 'minimum':
    case 'maximum':
      return `${rangeText({ [keyword]: params.limit })}, got ${data}`
    case 'type':
      return typeText(params.type)
    case 'format':
      return 'must be a whole number that computers count exactly, below 9007199254740992'
    case 'pattern':
      return `must match ${params.pattern}`
    case 'additionalProperties':
      return 'is no field of this call'
    case 'anyOf':
    case 'oneOf': {
      const names = tags(schema as Parameters<typeof tags>[0])
      return names.length > 0 ? `must have a type out of ${joined(names)}` : 'has none of the accepted forms'
    }
    default:
      return `breaks the rule ${keyword} of its schema`
  }
}

/** The limit of a failed keyword and what was measured: lengths and counts, never the value itself. */
export function faultFacts({ keyword, params, data }: ErrorObject): { needs?: Facts; has?: Facts } {
  const bound = /^(max|min)/.exec(keyword)?.[0] ?? ''
  if (keyword === 'maximum' || keyword === 'minimum') return { needs: { [bound]: params.limit } }
  if (bound && (typeof data === 'string' || Array.isArray(data)))
    return { needs: { [bound]: params.limit }, has: { length: lengthOf(data) } }
  if (keyword === 'enum') return { needs: { one_of: params.allowedValues } }
  return keyword === 'type' ? { needs: { type: params.type } } : {}
}
