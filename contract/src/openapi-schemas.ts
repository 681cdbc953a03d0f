import { fieldText } from './field-texts.js'
import { SHAPES } from './operations.js'
import { shapeUsed } from './shape-names.js'

type Json = Record<string, unknown>

const PREFIX = '#/components/schemas/'

function fieldsOf(properties: Json, owner: string | undefined): Json {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const shown = referring(schema) as Json
    const description = shown.description ?? fieldText(owner, name)
    return [name, description ? { ...shown, description } : shown]
  })
  return Object.fromEntries(fields)
}

/** The schema with every named shape inside it turned into a reference, and every property described. */
export function referring(schema: unknown, self?: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => referring(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const used = shapeUsed(schema)
  if (used && used.name !== self) {
    const reference = { $ref: `${PREFIX}${used.name}` }
    return used.nullable
      ? { anyOf: [reference, { type: 'null' }], ...used.remarks }
      : { ...reference, ...used.remarks }
  }
  const parts = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'properties' ? fieldsOf(value as Json, self) : referring(value),
  ])
  return Object.fromEntries(parts)
}

function referencesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' ? [String(value).slice(PREFIX.length)] : referencesIn(value),
  )
}

/** Every shape that these parts of the document refer to, or that those shapes refer to. */
export function componentsFor(...parts: unknown[]): Json {
  const names = new Set(parts.flatMap(referencesIn))
  const found = new Map<string, unknown>()
  // Shapes that a shape refers to join the set that is being walked.
  for (const name of names) {
    const shape = referring(SHAPES.get(name), name)
    found.set(name, shape)
    for (const other of referencesIn(shape)) names.add(other)
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}
