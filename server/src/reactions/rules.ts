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
}): { code: ErrorCode; message: string } | null {
  if (count.own >= OWN_AT_MOST) {
    const message = `at most ${OWN_AT_MOST} different reactions of one person on a message`
    return { code: 'user_limit', message }
  }
  if (!count.known && count.different >= DIFFERENT_AT_MOST) {
    const message = `at most ${DIFFERENT_AT_MOST} different reactions on a message`
    return { code: 'unique_limit', message }
  }
  if (count.total < ALL_AT_MOST) return null
  return { code: 'general_limit', message: `at most ${ALL_AT_MOST} reactions on a message` }
}
