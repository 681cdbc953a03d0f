/** JSON with one order of keys and no blanks (RFC 8785), so that equal values are equal bytes. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members: string[] = []
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key]
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonical(member)}`)
  }
  return `{${members.join(',')}}`
}
