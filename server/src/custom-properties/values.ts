import type { ApiErrorItem, CustomPropertyDefinition, ErrorCode } from '@parley/contract'
import { countCharacters, lengthText } from '../platform/http/fault-text.js'
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

const FORM_TEXTS: Record<CustomPropertyDefinition['data_type'], string> = {
  string: 'must be text',
  number: 'must be a number such as 12.5',
  date: 'must be a date such as 2030-01-31',
  link: 'must be an address that begins with http:// or https://',
}

function faultOf(
  definition: CustomPropertyDefinition | undefined,
  value: string,
  again: boolean,
): { code: ErrorCode; message: string } | undefined {
  if (!definition) return { code: 'not_found', message: 'is no property of this workspace' }
  if (again) return { code: 'taken', message: 'is given twice: give each property once' }
  const length = countCharacters(value)
  if (length > VALUE_MAX) return { code: 'too_long', message: lengthText(VALUE_MAX, length) }
  if (value !== '' && !FORMS[definition.data_type](value))
    return { code: 'invalid', message: FORM_TEXTS[definition.data_type] }
  return undefined
}

/** Holds the values against their definitions; every fault is reported with its property. */
export function checkValues(
  definitions: readonly CustomPropertyDefinition[],
  values: readonly PropertyValue[],
) {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]))
  const seen = new Set<number>()
  const faults: ApiErrorItem[] = []
  for (const { id, value } of values) {
    const fault = faultOf(byId.get(id), value, seen.has(id))
    seen.add(id)
    if (fault) {
      const { code, message } = fault
      faults.push(problemItem(code, { key: 'custom_properties', value, message, payload: { id } }))
    }
  }
  if (faults.length > 0) throw Problem.of(422, faults)
}
