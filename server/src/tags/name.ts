import { BLANK, countCharacters, lengthText } from '../platform/http/fault-text.js'
import { Problem } from '../platform/problem.js'

const SYSTEM_WORDS = new Set(['all', 'here'])
const RESERVED_WORDS = 'all and here stand for everybody in a mention: choose another name'
const LONGEST = 255

/** The name of a tag without the blanks around it, fit to be mentioned. */
export function checkTagName(name: string, key = 'name'): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new Problem(422, 'blank', { key, value: name, message: BLANK })
  const length = countCharacters(trimmed)
  if (length > LONGEST)
    throw new Problem(422, 'too_long', { key, value: trimmed, message: lengthText(LONGEST, length) })
  if (trimmed.includes('@'))
    throw new Problem(422, 'invalid', { key, value: trimmed, message: 'must not hold @' })
  // A mention drops the spaces of a name.
  if (SYSTEM_WORDS.has(trimmed.replaceAll(' ', '').toLowerCase()))
    throw new Problem(422, 'use_of_system_words', { key, value: trimmed, message: RESERVED_WORDS })
  return trimmed
}
