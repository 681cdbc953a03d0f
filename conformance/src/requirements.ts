import { EDITION } from './edition.js'
import type { Law } from './law.js'

interface Requirements {
  edition: string
  /** Written by hand, by id. */
  laws: Record<string, Pick<Law, 'level' | 'area' | 'rule' | 'operations' | 'needs'>>
  /** What holds for each operation that it applies to: the ends of the ids. The operations are those of openapi.json. */
  of_operations: string[]
}

/** The laws in the form in which they are kept for an edition. */
export function requirementsOf(laws: readonly Law[]): Requirements {
  const requirements: Requirements = { edition: EDITION, laws: {}, of_operations: [] }
  const kinds = new Set<string>()
  for (const { id, level, area, rule, operations, needs } of laws) {
    const [, kind] = id.split('/')
    if (kind) kinds.add(kind)
    else requirements.laws[id] = { level, area, rule, operations, needs }
  }
  return { ...requirements, of_operations: [...kinds].sort() }
}
