/** A schema as plain JSON Schema, as far as texts are looked for in it. */
export interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  minimum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
}

/** A whole body with the text in one of its places. */
export type Filled = (text: string) => unknown

const DEPTH_AT_MOST = 8
const branchesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf

/** A value that passes, as small as it gets. */
function sampleOf(schema: Schema, id: number): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [branch] = branchesOf(schema) ?? []
  if (branch) return sampleOf(branch, id)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'integer' || type === 'number') return Math.max(id, schema.minimum ?? 0)
  if (type === 'boolean') return false
  if (type === 'array') return []
  if (type === 'string') return schema.format?.startsWith('date') ? '2030-01-01T00:00:00.000Z' : 'x'
  const required = (schema.required ?? []).map((name) => [
    name,
    sampleOf(schema.properties?.[name] ?? {}, id),
  ])
  return Object.fromEntries(required)
}

/** A way to fill each text of a schema, with everything else as small as it gets. */
export function fillsOf(schema: Schema, id: number, depth = 0): Filled[] {
  if (schema.const !== undefined || schema.enum || depth > DEPTH_AT_MOST) return []
  const branches = branchesOf(schema)
  if (branches) return branches.flatMap((branch) => fillsOf(branch, id, depth + 1))
  const types = [schema.type].flat()
  if (types.includes('string')) return [(text) => text]
  if (schema.items) return fillsOf(schema.items, id, depth + 1).map((fill) => (text) => [fill(text)])
  const base = sampleOf({ ...schema, type: 'object' }, id) as object
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    fillsOf(property, id, depth + 1).map(
      (fill): Filled =>
        (text) => ({ ...base, [name]: fill(text) }),
    ),
  )
  const { additionalProperties: others } = schema
  const free = typeof others === 'object' ? [others] : Object.values(schema.patternProperties ?? {})
  const unnamed = free.flatMap((other) =>
    fillsOf(other, id, depth + 1).map(
      (fill): Filled =>
        (text) => ({ ...base, x: fill(text) }),
    ),
  )
  return [...named, ...unnamed]
}
