import type { ErrorCode } from '@parley/contract'

export const OWN_AT_MOST = 20
export const DIFFERENT_AT_MOST = 30
export const ALL_AT_MOST = 1000

/** Which limit one reaction more would break; the emoji may be on the message already, from somebody else. */
export function brokenLimit(count: {
  own: number
  different: number
  total: number
  known: boolean
}): ErrorCode | null {
  if (count.own >= OWN_AT_MOST) return 'user_limit'
  if (!count.known && count.different >= DIFFERENT_AT_MOST) return 'unique_limit'
  return count.total >= ALL_AT_MOST ? 'general_limit' : null
}
