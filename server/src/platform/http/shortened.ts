const LENGTH = 1000

/** A copy with no more in it than the first thousand characters of its JSON can show. */
function pruned(value: unknown, budget: { left: number }): unknown {
  budget.left -= 1
  if (typeof value === 'string') return value.slice(0, LENGTH)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      if (budget.left <= 0) break
      items.push(pruned(item, budget))
    }
    return items
  }
  const copy: Record<string, unknown> = {}
  for (const key in value) {
    if (budget.left <= 0) break
    copy[key.slice(0, LENGTH)] = pruned((value as Record<string, unknown>)[key], budget)
  }
  return copy
}

const isIds = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')

/** A value as errors show it: text, ids with commas, or the beginning of its JSON, at a cost that does not grow with the value. */
export function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, LENGTH)
  if (typeof value !== 'object' || value === null) return value
  const copy = pruned(value, { left: LENGTH })
  return (isIds(copy) ? copy.join(', ') : JSON.stringify(copy)).slice(0, LENGTH)
}
