/** The parts of JSON Schema that the contract's request bodies use. */
interface Shape {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  minItems?: number
  minimum?: number
  minLength?: number
}

function sampleObject({ properties = {}, required = [] }: Shape): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {}, name)]))
}

/** The smallest value of a shape: what is required of it, and nothing else. */
export function sampleOf(given: object, name = ''): unknown {
  const shape = given as Shape
  if (shape.enum) return shape.enum[0]
  if (shape.const !== undefined) return shape.const
  if (shape.anyOf) return sampleOf(shape.anyOf[0] ?? {})
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type
  if (type === 'object') return sampleObject(shape)
  if (type === 'array') return [sampleOf(shape.items ?? {})]
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return Math.max(shape.minimum ?? 1, 1)
  if (/^(from|to|start_|end_|created_)|_until$/.test(name)) return '2030-01-31T08:05:09.000Z'
  if (/url$/.test(name)) return 'https://example.org/hook'
  if (name === 'code') return '👍'
  return name === 'email' ? 'nobody@example.org' : 'x'.repeat(Math.max(shape.minLength ?? 1, 1))
}
