import type { ApiErrorItem, CustomPropertyDefinition, ErrorCode } from '@parley/contract'
import { Problem, problemItem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'

export interface PropertyValue {
  id: number
  /** Empty clears. */
  value: string
}

const VALUE_MAX = 768
const DATE = /^\d{4}-\d{2}-\d{2}(T|$)/

function isLink(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

const FORMS: Record<CustomPropertyDefinition['data_type'], (value: string) => boolean> = {
  string: () => true,
  number: (value) => /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value),
  date: (value) => DATE.test(value) && parseTime(value) !== undefined,
  link: isLink,
}

function faultOf(
  definition: CustomPropertyDefinition | undefined,
  value: string,
  again: boolean,
): ErrorCode | undefined {
  if (!definition) return 'not_found'
  if (again) return 'taken'
  if (value.length > VALUE_MAX) return 'too_long'
  if (value !== '' && !FORMS[definition.data_type](value)) return 'invalid'
  return undefined
}

/** Holds the values against their definitions; every fault is told, each with its property. */
export function checkValues(
  definitions: readonly CustomPropertyDefinition[],
  values: readonly PropertyValue[],
) {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]))
  const seen = new Set<number>()
  const faults: ApiErrorItem[] = []
  for (const { id, value } of values) {
    const code = faultOf(byId.get(id), value, seen.has(id))
    seen.add(id)
    if (code) faults.push(problemItem(code, { key: 'custom_properties', value, payload: { id } }))
  }
  if (faults.length > 0) throw Problem.of(422, faults)
}
