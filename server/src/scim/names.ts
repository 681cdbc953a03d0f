/** The URNs of the schemas of users and groups may stand before the names of their attributes. */
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/

/** The name of an attribute as it is compared: names have no case (RFC 7643, 2.1). */
export function lowerName(name: string): string {
  return name.toLowerCase().replace(CORE, '')
}

/** A path or a filter with its names and operators in small letters; what stands in quotes stays as it is. */
export function lowerNames(text: string): string {
  const parts = text.split('"')
  const lower = parts.map((part, index) => (index % 2 === 0 ? part.toLowerCase() : part)).join('"')
  return lower.replace(CORE, '')
}

/** A value with the names of its attributes in small letters, at every depth. */
export function lowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [lowerName(name), lowerKeys(inner)]))
}
