import type { ErrorObject } from 'ajv'

/** The field that tells the branches of such a union apart. */
export const TAG = 'type'

interface Branch {
  properties?: { [TAG]?: { const?: unknown } }
}

/** The branch of a union that the data itself names. */
export interface NamedBranch {
  union: ErrorObject
  index: number
}

/** Whether a fault is that of a union whose branches each have a `type` of their own. */
export function isTagged({ keyword, schema }: ErrorObject): boolean {
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return false
  return (schema as Branch[]).every((branch) => branch.properties?.[TAG]?.const !== undefined)
}

/** Which branch was meant, so that its faults can be told instead of "matches nothing". */
export function namedBranch(union: ErrorObject): NamedBranch | undefined {
  const data = union.data as { [TAG]?: unknown } | null
  if (!isTagged(union) || typeof data !== 'object' || data === null) return undefined
  const index = (union.schema as Branch[]).findIndex(
    (branch) => branch.properties?.[TAG]?.const === data[TAG],
  )
  return index < 0 ? undefined : { union, index }
}

export function liesIn(error: ErrorObject, { union, index }: NamedBranch): boolean {
  if (!error.schemaPath.startsWith(`${union.schemaPath}/${index}/`)) return false
  return error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`)
}
