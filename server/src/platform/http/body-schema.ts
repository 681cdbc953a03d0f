export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  maxItems?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  not?: Schema
  'x-when-invalid'?: string
  /** What null means in a member that is required. */
  'x-null-as'?: unknown
}

export function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat()
}

/** The name of an optional reference to another record: 0 there means none. */
export function isOptionalId(owner: Schema, name: string, schema: Schema): boolean {
  return /(^|_)id$/.test(name) && typesOf(schema).includes('integer') && !owner.required?.includes(name)
}

/** Whether the schema names every field it knows, and says nothing of the others. */
export function isClosed({ properties, patternProperties, additionalProperties }: Schema): boolean {
  return properties !== undefined && patternProperties === undefined && additionalProperties === undefined
}

/** The same shape, but against it an optional id of 0 and an unknown field are faults: what passes needs no bending. */
export function strictShape(schema: Schema): Schema {
  const inner: Schema = isClosed(schema) ? { ...schema, additionalProperties: false } : { ...schema }
  if (schema.properties) {
    inner.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => {
        const strict = strictShape(field)
        return [name, isOptionalId(schema, name, field) ? { ...strict, not: { const: 0 } } : strict]
      }),
    )
  }
  if (schema.items) inner.items = strictShape(schema.items)
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = schema[keyword]
    if (branches) inner[keyword] = branches.map(strictShape)
  }
  return inner
}
