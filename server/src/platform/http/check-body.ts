import type { ApiErrorItem, ErrorCode, Operation } from '@parley/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Problem, problemItem } from '../problem.js'
import { isSecretField } from '../secret-fields.js'
import { faultFacts, faultText } from './fault-text.js'
import { findUnstorable } from './read-body.js'
import { shortened } from './shortened.js'
import { isTagged, namedBranches, TAG } from './tagged-union.js'

/** Bodies of writes are wrapped in the name of what they write; keys of errors leave the wrapper out. */
const WRAPPERS = new Set([
  'user',
  'chat',
  'message',
  'task',
  'draft',
  'status',
  'group_tag',
  'webhook',
  'bot',
])
const FAULTS_AT_MOST = 50
/** All faults of a body are reported together, up to this many values; of a larger body the first alone. */
const VALUES_AT_MOST = 5_000

const safe = { type: 'number' as const, validate: (value: number) => Number.isSafeInteger(value) }

function createAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({
    allErrors,
    strict: false,
    verbose: true,
    allowUnionTypes: true,
    validateFormats: true,
  })
  for (const format of ['int32', 'int64']) ajv.addFormat(format, safe)
  for (const format of ['date-time', 'date', 'uuid', 'uri', 'email', 'binary']) ajv.addFormat(format, true)
  return ajv
}

/** Sizes are checked before what they limit, so the first fault of a list that is too long is its length. */
const untilFirst = createAjv(false)
const untilEnd = createAjv(true)

/** The name of a place in a body, as errors and headers give it. */
export function keyOf(path: string[]): string {
  const inner = path.length > 1 && WRAPPERS.has(path[0] as string) ? path.slice(1) : path
  return inner.join('.') || 'base'
}

interface Fault {
  code: ErrorCode
  status: 400 | 422
}

function faultOf(error: ErrorObject, path: string[]): Fault {
  switch (error.keyword) {
    case 'required': {
      const name = error.params.missingProperty as string
      const wrapper = path.length === 1 && WRAPPERS.has(name)
      return wrapper ? { code: 'required', status: 400 } : { code: 'blank', status: 422 }
    }
    case 'enum': {
      const own = (error.parentSchema as { 'x-error-code'?: ErrorCode } | undefined)?.['x-error-code']
      return { code: own ?? 'inclusion', status: 400 }
    }
    case 'maxLength':
    case 'maxItems':
      return { code: 'too_long', status: 422 }
    case 'minLength': {
      const tooShort = error.params.limit > 1 && error.data !== ''
      return { code: tooShort ? 'min_length' : 'blank', status: 422 }
    }
    case 'minItems':
      return { code: error.params.limit > 1 ? 'min_length' : 'blank', status: 422 }
    case 'type':
      return { code: 'invalid', status: path.length <= 1 && error.params.type === 'object' ? 400 : 422 }
    default:
      return { code: 'invalid', status: 422 }
  }
}

/** Names of members are escaped in a path, as they may hold slashes: addresses do. */
function pathOf({ instancePath }: ErrorObject): string[] {
  const names = instancePath.split('/').slice(1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function itemsOf(errors: ErrorObject[]): { status: 400 | 422; items: ApiErrorItem[] } {
  // A union that matches nothing complains once for every branch; the fault of the union itself is enough.
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  // Every item of a list has the same path in the schema, so there are few of these however long the list is.
  const paths = [...new Set(unions.map(({ schemaPath }) => `${schemaPath}/`))]
  const named = namedBranches(unions)
  const under = (error: ErrorObject) =>
    paths.some((path) => error.schemaPath.startsWith(path)) || named.unions.has(error)
  let status: 400 | 422 = 422
  const items = new Map<string, ApiErrorItem>()
  for (const error of errors) {
    if (items.size >= FAULTS_AT_MOST) break
    if ((under(error) && !named.holds(error)) || ignored(error)) continue
    const path = pathOf(error)
    if (error.keyword === 'required') path.push(error.params.missingProperty as string)
    if (error.keyword === 'additionalProperties') path.push(error.params.additionalProperty as string)
    if (isTagged(error)) path.push(TAG)
    const fault = faultOf(error, path)
    if (fault.status === 400) status = 400
    const key = keyOf(path)
    const told = error.keyword !== 'required' && !isSecretField(path.at(-1))
    const value = told ? shortened(error.data) : undefined
    if (items.has(key)) continue
    const facts = faultFacts(error)
    items.set(key, problemItem(fault.code, { key, value, message: faultText(error), ...facts }))
  }
  return { status, items: [...items.values()] }
}

/** Some input is left aside where its form is wrong; its action looks at it again. */
function ignored({ parentSchema }: ErrorObject): boolean {
  return (parentSchema as { 'x-when-invalid'?: string } | undefined)?.['x-when-invalid'] === 'ignore'
}

/** How many values a body holds, counted up to one more than asked about. */
function holdsAtMost(body: unknown, count: number): boolean {
  const waiting: unknown[] = [body]
  let left = count
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    left -= inner.length
    if (left < 0) return false
    waiting.push(...inner)
  }
  return true
}

/** Whether a body has this shape; stops at the first fault. */
export function shapeTest(schema: object): (body: unknown) => boolean {
  let test: ValidateFunction | undefined
  return (body) => {
    test ??= untilFirst.compile(schema)
    return test(body)
  }
}

/** Refuses text that PostgreSQL cannot store. */
export function storableCheck(operation: Operation): (body: unknown) => void {
  const status = operation.problems?.[422] === undefined ? 400 : 422
  return (body) => {
    const place = findUnstorable(body)
    if (place === undefined) return
    const key = keyOf(place.split('.'))
    throw new Problem(status, 'invalid', { key, message: 'holds a character that cannot be stored' })
  }
}

/** Makes the check of one operation's body; a fault is 422 where the operation knows that status, else 400. */
export function bodyCheck(operation: Operation): (body: unknown) => void {
  if (!operation.body) return () => {}
  const { body: schema } = operation
  // Compiled when first needed: most processes never see most operations.
  let quick: ValidateFunction | undefined
  let whole: ValidateFunction | undefined
  const checkStorable = storableCheck(operation)
  const knows422 = operation.problems?.[422] !== undefined
  return (body) => {
    quick ??= untilFirst.compile(schema)
    if (!quick(body)) {
      let { errors } = quick
      if (holdsAtMost(body, VALUES_AT_MOST)) {
        whole ??= untilEnd.compile(schema)
        whole(body)
        errors = whole.errors
      }
      const { status, items } = itemsOf(errors ?? [])
      if (items.length > 0) throw Problem.of(knows422 ? status : 400, items)
    }
    checkStorable(body)
  }
}
