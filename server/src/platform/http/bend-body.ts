import { isClosed, isOptionalId, type Schema, typesOf } from './body-schema.js'
import { noted } from './ignored.js'

/** How one place of a body is read: the value it means, with every change noted under its path. */
type Bend = (value: unknown, place: Place) => unknown

/** Where the reader is in the body, and what it has changed so far. */
class Place {
  private readonly path: string[] = []
  readonly names = new Set<string>()

  constructor(readonly form: boolean) {}

  inside<T>(name: string, read: () => T): T {
    this.path.push(name)
    const result = read()
    this.path.pop()
    return result
  }

  note(name?: string) {
    if (noted(this.names)) this.names.add([...this.path, ...(name === undefined ? [] : [name])].join('.'))
  }
}

const INTEGER = /^-?\d{1,16}$/
const DECIMAL = /^-?\d{1,16}(\.\d{1,16})?$/
const WORDS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
])
/** The discriminator of a union. */
const TAG = 'type'

function admitsNull(schema: Schema): boolean {
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return branches.some(admitsNull)
  if (schema.const !== undefined) return schema.const === null
  const types = typesOf(schema)
  return types.length === 0 ? !schema.enum && !schema.allOf : types.includes('null')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmptyObject(value: unknown): boolean {
  if (!isObject(value)) return false
  for (const _ in value) return false
  return true
}

/** Everything but null and `{}` is read the same way where wrong input is left aside: those two mean something there. */
const isLeftAside = (schema: Schema) => schema['x-when-invalid'] === 'ignore'

function numberBend(integer: boolean): Bend {
  const digits = integer ? INTEGER : DECIMAL
  return (value, place) => {
    if (typeof value !== 'string' || value.length > 34 || !digits.test(value)) return value
    const number = Number(value)
    if (integer && !Number.isSafeInteger(number)) return value
    if (!place.form) place.note()
    return number
  }
}

const booleanBend: Bend = (value, place) => {
  const word = WORDS.get(value)
  if (word === undefined) return value
  if (!place.form) place.note()
  return word
}

/** Words of a closed list, without case. */
function wordBend(words: unknown[]): Bend {
  const texts = words.filter((word) => typeof word === 'string')
  const longest = Math.max(0, ...texts.map(({ length }) => length))
  const known = new Map(texts.map((word) => [word.toLowerCase(), word]))
  return (value, place) => {
    if (typeof value !== 'string' || value.length > longest) return value
    const word = known.get(value.toLowerCase()) ?? value
    if (word !== value) place.note()
    return word
  }
}

function arrayBend(schema: Schema): Bend {
  const item = schema.items ? bendOf(schema.items) : undefined
  const { maxItems = Number.POSITIVE_INFINITY } = schema
  return (given, place) => {
    let value = given
    if (!isLeftAside(schema) && isEmptyObject(given)) {
      place.note()
      value = []
    } else if (place.form && typeof given === 'string') value = [given]
    // One that is too long is refused in any case.
    if (!item || !Array.isArray(value) || value.length > maxItems) return value
    for (let index = 0; index < value.length; index += 1) {
      const before = value[index]
      value[index] = place.inside(String(index), () => item(before, place))
    }
    return value
  }
}

function isBendableNull(owner: Schema, name: string, field: Schema): boolean {
  if (field['x-null-as'] !== undefined) return true
  return !owner.required?.includes(name) && !admitsNull(field) && !isLeftAside(field)
}

/** Names that may stand in a header as they are. */
const PLAIN_NAME = /^[\w-]{1,64}$/

/** Fields that nobody knows are taken out: what a handler passes on as it is holds fields of the contract alone. */
function dropUnknown(value: Record<string, unknown>, known: ReadonlySet<string>, place: Place) {
  for (const name of Object.keys(value)) {
    if (known.has(name)) continue
    if (PLAIN_NAME.test(name)) place.note(name)
    delete value[name]
  }
}

function objectBend(schema: Schema): Bend {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    bend: bendOf(field),
    nullable: isBendableNull(schema, name, field),
    id: isOptionalId(schema, name, field),
    none: field['x-null-as'] ?? (admitsNull(field) ? null : undefined),
  }))
  const [others] = Object.values(schema.patternProperties ?? {})
  const rest = others ?? (typeof schema.additionalProperties === 'object' && schema.additionalProperties)
  const restBend = rest ? bendOf(rest) : undefined
  const known = isClosed(schema) ? new Set(fields.map(({ name }) => name)) : undefined
  return (value, place) => {
    if (!isObject(value)) return value
    if (known) dropUnknown(value, known, place)
    for (const { name, bend, nullable, id, none } of fields) {
      if (!Object.hasOwn(value, name)) continue
      const bent = place.inside(name, () => bend(value[name], place))
      const absent = (nullable && bent === null) || (id && bent === 0)
      if (absent) place.note(name)
      if (absent && none === undefined) delete value[name]
      else value[name] = absent ? none : bent
    }
    if (restBend) for (const name of Object.keys(value)) value[name] = restBend(value[name], place)
    return value
  }
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** One branch is read, whatever the number of branches: the one that the tag names, or else the first of the value's type. */
function unionBend(branches: Schema[]): Bend {
  const real = branches.filter((branch) => !typesOf(branch).every((type) => type === 'null'))
  const [only] = real
  if (only && real.length === 1) return bendOf(only)
  const bends = real.map((branch) => ({ branch, bend: bendOf(branch) }))
  return (value, place) => {
    const tag = isObject(value) ? value[TAG] : undefined
    const named = bends.find(({ branch }) => {
      const known = branch.properties?.[TAG]?.const
      return typeof known === 'string' && typeof tag === 'string' && known === tag.toLowerCase()
    })
    const chosen = named ?? bends.find(({ branch }) => typesOf(branch).includes(jsonTypeOf(value)))
    return chosen ? chosen.bend(value, place) : value
  }
}

const asIs: Bend = (value) => value

function bendOf(schema: Schema): Bend {
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return unionBend(branches)
  if (schema.allOf) {
    const bends = schema.allOf.map(bendOf)
    return (value, place) => bends.reduce((bent, bend) => bend(bent, place), value)
  }
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const types = typesOf(schema)
  if (types.includes('object')) return objectBend(schema)
  if (types.includes('array')) return arrayBend(schema)
  if (types.includes('integer')) return numberBend(true)
  if (types.includes('number')) return numberBend(false)
  if (types.includes('boolean')) return booleanBend
  return words ? wordBend(words) : asIs
}

/**
 * Makes the lenient reader of one shape. It changes the body in place, at a cost that grows with the body at most, and
 * gives the names of what it changed.
 */
export function bodyBend(schema: Schema): (body: unknown, options: { form: boolean }) => Set<string> {
  const bend = bendOf(schema)
  return (body, { form }) => {
    const place = new Place(form)
    bend(body, place)
    return place.names
  }
}
