import type { ApiErrorItem, ErrorCode } from '@parley/contract'
import type { TObject } from 'typebox'
import { Problem, problemItem } from '../problem.js'
import { countText, oneOf, rangeText, typeText } from './fault-text.js'

interface Property {
  type?: string | string[]
  enum?: unknown[]
  items?: Property
  minimum?: number
  maximum?: number
  minLength?: number
  maxItems?: number
  'x-over-maximum'?: 'clamp'
}

type Raw = Map<string, string[]>

/** Values by name: `x[]=1`, `x=1&x=2` and `x[name]=1` alike; old clients spell arrays and sorts so. */
export function rawQuery(url: string): Raw {
  const start = url.indexOf('?')
  const raw: Raw = new Map()
  if (start < 0) return raw
  for (const [key, value] of new URLSearchParams(url.slice(start + 1))) {
    const name = key.endsWith('[]') ? key.slice(0, -2) : key
    const known = raw.get(name)
    if (known) known.push(value)
    else raw.set(name, [value])
  }
  return raw
}

function oldSpellings(raw: Raw) {
  for (const [key, values] of raw) {
    if (!key.includes('[')) continue
    const sort = /^sort\[(\w+)\]$/.exec(key)
    if (sort?.[1] && !raw.has('sort')) raw.set('sort', [sort[1]]).set('order', values)
    const search = /^search\[(\w+)\]$/.exec(key)
    if (search?.[1] && !raw.has(search[1])) raw.set(search[1], values)
  }
}

const INTEGER = /^[+-]?\d{1,18}$/
const YES = new Set(['true', '1'])
const NO = new Set(['false', '0'])

type Read = { value: unknown; bent?: true } | { code: ErrorCode; message: string }

function readNumber(property: Property, text: string): Read {
  const number = INTEGER.test(text) ? Number(text) : Number.NaN
  const { minimum, maximum } = property
  if (!Number.isSafeInteger(number)) return { code: 'invalid', message: typeText('integer') }
  const over = maximum !== undefined && number > maximum
  if (!over && (minimum === undefined || number >= minimum)) return { value: number }
  if (over && property['x-over-maximum'] === 'clamp') return { value: maximum, bent: true }
  return { code: 'invalid', message: `${rangeText({ minimum, maximum })}, got ${number}` }
}

/** A word of a closed list, without case. */
function readWord(words: unknown[], text: string): Read {
  if (words.includes(text)) return { value: text }
  const lower = text.toLowerCase()
  const word = words.find((known) => typeof known === 'string' && known.toLowerCase() === lower)
  return word === undefined ? { code: 'in', message: oneOf(words) } : { value: word }
}

const BARE_PLUS = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) (\d{2}:?\d{2})$/

/** A `+` that was not escaped comes as a space; in a time it is the sign of its offset. */
function withOffset(text: string): string {
  return text.replace(BARE_PLUS, '$1+$2')
}

function readOne(property: Property, text: string): Read {
  if (text.includes('\0')) return { code: 'invalid', message: 'holds a character that cannot be stored' }
  if (property.type === 'integer') {
    const read = readNumber(property, text)
    const known = !('value' in read) || !property.enum || property.enum.includes(read.value)
    return known ? read : { code: 'in', message: oneOf(property.enum ?? []) }
  }
  if (property.type === 'boolean') {
    if (YES.has(text)) return { value: true }
    return NO.has(text) ? { value: false } : { code: 'invalid', message: typeText('boolean') }
  }
  return property.enum ? readWord(property.enum, text) : { value: withOffset(text) }
}

function readMany(property: Property, texts: string[]): Read {
  const parts = texts.flatMap((text) =>
    property.items?.type === 'string' && !property.items.enum ? [text] : text.split(','),
  )
  const given = parts.filter((part) => part !== '')
  const { maxItems } = property
  if (maxItems !== undefined && given.length > maxItems)
    return { code: 'too_long', message: countText(maxItems, given.length) }
  const values: unknown[] = []
  for (const part of given) {
    const read = readOne(property.items ?? {}, part)
    if ('code' in read) return read
    values.push(read.value)
  }
  return { value: values }
}

function readProperty(property: Property, texts: string[]): Read {
  if (property.type === 'array') return readMany(property, texts)
  return readOne(property, texts.at(-1) ?? '')
}

/** A value as errors show it: ids of a list stand apart. */
function writtenAs({ items }: Property, texts: string[]): string {
  return items?.type === 'integer' ? texts.flatMap((text) => text.split(',')).join(', ') : texts.join(',')
}

interface Parameter {
  name: string
  property: Property
  required: boolean
}

/** Read from the schema once: a request would spend more time on that than on its own values. */
const parameters = new WeakMap<TObject, Parameter[]>()

function parametersOf(schema: TObject): Parameter[] {
  const known = parameters.get(schema)
  if (known) return known
  const required = new Set((schema.required as string[] | undefined) ?? [])
  const read = Object.entries(schema.properties as Record<string, Property>).map(([name, property]) => ({
    name,
    property,
    required: required.has(name),
  }))
  parameters.set(schema, read)
  return read
}

/** Turns a query string into the values its operation declares; every fault is reported with its parameter. */
export function readQuery(
  schema: TObject,
  url: string,
  members: Record<string, unknown> = {},
  note: (name: string) => void = () => {},
): Record<string, unknown> {
  const raw = rawQuery(url)
  for (const [name, value] of Object.entries(members)) raw.set(name, [String(value)])
  oldSpellings(raw)
  const result: Record<string, unknown> = {}
  const faults: ApiErrorItem[] = []
  for (const { name, property, required } of parametersOf(schema)) {
    const texts = raw.get(name)
    if (texts === undefined || (required && texts.join('').trim() === '')) {
      if (required) faults.push(problemItem('required', { key: name }))
      continue
    }
    // An empty value of an optional parameter is as good as none, except for numbers that clients compute.
    if (texts.every((text) => text === '') && property.type !== 'integer') continue
    const read = readProperty(property, texts)
    if ('code' in read)
      faults.push(
        problemItem(read.code, {
          key: name,
          value: writtenAs(property, texts).replaceAll('\0', ''),
          message: read.message,
        }),
      )
    else {
      result[name] = read.value
      if (read.bent) note(name)
    }
  }
  if (faults.length > 0) throw Problem.of(400, faults)
  return result
}

/** Path parts: a number that is none names nothing, so it is 404 and not a fault of form. */
export function readParams(
  schema: TObject | undefined,
  raw: Record<string, string>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const { name, property } of schema ? parametersOf(schema) : []) {
    const text = raw[name] ?? ''
    const read = readOne(property, text)
    if ('code' in read || text === '')
      throw new Problem(404, 'not_found', { key: name, value: text.replaceAll('\0', '') })
    result[name] = read.value
  }
  return result
}
