import { SHAPES } from './operations.js'

type Json = Record<string, unknown>

/** Annotations of a schema: two schemas that differ in these alone are the same shape. */
const REMARKS = /^(description|default|deprecated|examples|title|x-.*)$/

/** The part of a schema that its copies share: `Type.Optional`, `annotated` and `Nullable` copy only the outside. */
const CORES = ['properties', 'patternProperties', 'anyOf', 'allOf', 'enum'] as const

function coreOf(schema: Json): unknown {
  const name = CORES.find((core) => schema[core] !== undefined)
  if (name) return schema[name]
  // Of scalars only those with a pattern are a shape of their own.
  if (schema.pattern) return `${schema.format} ${schema.pattern}`
  return undefined
}

function typesOf(schema: Json): unknown[] {
  return [schema.type ?? []].flat()
}

function constraintsOf(schema: Json): string {
  const own = Object.entries(schema).filter(([key]) => !REMARKS.test(key) && key !== 'type')
  const shared = (key: string) => CORES.includes(key as (typeof CORES)[number])
  const types = typesOf(schema).filter((type) => type !== 'null')
  return JSON.stringify([types, own.map(([key, value]) => [key, shared(key) ? null : value]).sort()])
}

const byCore = new Map<unknown, { name: string; constraints: string; remarks: Json }>()
for (const [name, shape] of SHAPES) {
  const schema = shape as Json
  const core = coreOf(schema)
  // A nullable copy that has a name too is a use of the shape itself.
  if (core === undefined || byCore.has(core) || typesOf(schema).includes('null')) continue
  byCore.set(core, { name, constraints: constraintsOf(schema), remarks: remarksOf(schema) })
}

function remarksOf(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => REMARKS.test(key)))
}

export interface ShapeUse {
  name: string
  nullable: boolean
  /** What is said at this place and not of the shape itself. */
  remarks: Json
}

/** The named shape that a schema copies, apart from its description; undefined for an unnamed one. */
export function shapeUsed(schema: unknown): ShapeUse | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined
  const known = byCore.get(coreOf(schema as Json))
  if (!known || known.constraints !== constraintsOf(schema as Json)) return undefined
  const remarks = Object.entries(remarksOf(schema as Json)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(known.remarks[key]),
  )
  const nullable = typesOf(schema as Json).includes('null')
  return { name: known.name, nullable, remarks: Object.fromEntries(remarks) }
}
