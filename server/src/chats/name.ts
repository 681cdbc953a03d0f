import { BLANK } from '../platform/http/fault-text.js'
import { Problem } from '../platform/problem.js'

/** What a chat is for, without the blanks around it; nothing but blanks clears it. */
export const cleanDescription = (description: string | null) => description?.trim() || null

/** The name of a chat without the blanks around it; nothing but blanks is no name. */
export function checkName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new Problem(422, 'blank', { key: 'name', value: name, message: BLANK })
  return trimmed
}
