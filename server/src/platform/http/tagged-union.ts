import type { ErrorObject } from 'ajv'

/** The discriminator of such a union. */
export const TAG = 'type'

interface Branch {
  properties?: { [TAG]?: { const?: unknown } }
}

/** Whether a fault is that of a union whose branches each have a `type` of their own. */
export function isTagged({ keyword, schema }: ErrorObject): boolean {
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return false
  return (schema as Branch[]).every((branch) => branch.properties?.[TAG]?.const !== undefined)
}

/** Which branch was meant, by its place in the union. */
function meantBranch(union: ErrorObject): number {
  const data = union.data as { [TAG]?: unknown } | null
  if (!isTagged(union) || typeof data !== 'object' || data === null) return -1
  return (union.schema as Branch[]).findIndex((branch) => branch.properties?.[TAG]?.const === data[TAG])
}

/** The branches that the data itself names, so that their faults can be reported instead of "matches nothing". */
export function namedBranches(unions: readonly ErrorObject[]) {
  const named = new Set<ErrorObject>()
  /** Where in the body each branch of the schema was meant. */
  const places = new Map<string, Set<string>>()
  for (const union of unions) {
    const index = meantBranch(union)
    if (index < 0) continue
    named.add(union)
    const branch = `${union.schemaPath}/${index}/`
    places.set(branch, (places.get(branch) ?? new Set()).add(union.instancePath))
  }
  return {
    unions: named,
    /** Whether a fault lies in a branch that was meant, at its own place or further in. */
    holds({ schemaPath, instancePath }: ErrorObject): boolean {
      for (const [branch, meant] of places) {
        if (!schemaPath.startsWith(branch)) continue
        for (let end = instancePath.length; end >= 0; end = instancePath.lastIndexOf('/', end - 1)) {
          if (meant.has(instancePath.slice(0, end))) return true
          if (end === 0) break
        }
      }
      return false
    },
  }
}
