import { EDITION } from './edition.js'
import type { Law, Level } from './law.js'

interface Requirements {
  edition: string
  /** Written by hand, by id. */
  laws: Record<string, Pick<Law, 'level' | 'area' | 'rule' | 'operations' | 'needs'>>
  /** What holds for many operations: by operation, the ends of the ids. */
  operations: Record<string, { level: Level; laws: string[] }>
}

/** The laws in the form in which they are kept for an edition. */
export function requirementsOf(laws: readonly Law[]): Requirements {
  const requirements: Requirements = { edition: EDITION, laws: {}, operations: {} }
  for (const { id, level, area, rule, operations, needs } of laws) {
    const [operation = '', name] = id.split('/')
    if (!name) requirements.laws[id] = { level, area, rule, operations, needs }
    else {
      requirements.operations[operation] ??= { level, laws: [] }
      requirements.operations[operation].laws.push(name)
    }
  }
  return requirements
}
