import { isDeepStrictEqual } from 'node:util'
import { OPERATIONS, type TokenLimits } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { ensure, Problem, refuse } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'

const IDS = new Set(OPERATIONS.map(({ id }) => id))
const APPROVALS = ['none', 'outside', 'writes'] as const

/** Limits as they are stored: no empty list of chats by accident, known operations, a time that is one. */
function readLimits(given: TokenLimits | undefined): TokenLimits | null {
  if (!given || Object.keys(given).length === 0) return null
  const unknown = given.operations?.filter((id) => !IDS.has(id)) ?? []
  if (unknown.length > 0)
    throw new Problem(422, 'inclusion', {
      key: 'limits.operations',
      value: unknown.join(', '),
      message: 'must be ids of operations of the reference',
    })
  if (given.expires_at === undefined) return given
  const expires_at = parseTime(given.expires_at)
  if (!expires_at)
    throw new Problem(422, 'invalid', {
      key: 'limits.expires_at',
      value: given.expires_at,
      message: 'must be a time, such as 2030-01-31T08:05:09Z',
    })
  return { ...given, expires_at: expires_at.toISOString() }
}

/** The limits of a new token, which is not to end before it begins. */
export function readNewLimits({ clock }: Pick<Context, 'clock'>, given: TokenLimits | undefined) {
  const limits = readLimits(given)
  if (limits?.expires_at !== undefined && Date.parse(limits.expires_at) <= clock.now())
    throw new Problem(422, 'invalid', {
      key: 'limits.expires_at',
      value: given?.expires_at,
      message: 'lies in the past',
    })
  return limits
}

function isWithin<T>(after: readonly T[] | undefined, before: readonly T[] | undefined): boolean {
  return before === undefined || (after?.every((item) => before.includes(item)) ?? false)
}

const least = (value: number | undefined) => value ?? Number.POSITIVE_INFINITY
const timeOf = ({ expires_at }: TokenLimits) =>
  least(expires_at === undefined ? undefined : Date.parse(expires_at))
const approvalOf = ({ approval = 'none' }: TokenLimits) => APPROVALS.indexOf(approval)

/** Whether the second limits allow no chat that the first do not. */
export function narrowsChats(before: TokenLimits, after: TokenLimits | null): boolean {
  return isWithin(after?.chat_ids, before.chat_ids) && isWithin(after?.chat_kinds, before.chat_kinds)
}

/** Whether the second limits allow nothing that the first do not. */
export function narrows(before: TokenLimits | null, after: TokenLimits | null): boolean {
  if (!before) return true
  if (!after) return false
  return (
    narrowsChats(before, after) &&
    isWithin(after.operations, before.operations) &&
    (after.read_only === true || before.read_only !== true) &&
    (after.dry_run_only === true || before.dry_run_only !== true) &&
    least(after.writes_per_day) <= least(before.writes_per_day) &&
    timeOf(after) <= timeOf(before) &&
    approvalOf(after) >= approvalOf(before)
  )
}

/** A token does not hand out the value of another one that may do more than its own limits let it do. */
export function ensureHandsOut({ limits }: Pick<Actor, 'limits'>, given: TokenLimits | null) {
  if (!limits || narrows(limits, given)) return
  const reason = 'a token with limits hands out tokens with the same limits or narrower ones'
  ensure({ ...refuse('token.limits.narrow'), reason }, 'hand_out', { type: 'AccessToken', id: 0 })
}

/** What changes in the row of a token with its limits: they only become narrower. */
export function limitsChange(token: { id: number; limits: unknown }, given: TokenLimits | undefined) {
  if (given === undefined) return {}
  const after = readLimits(given)
  if (isDeepStrictEqual(after, token.limits)) return {}
  if (!narrows(token.limits as TokenLimits | null, after))
    ensure(refuse('token.limits.narrow'), 'widen_limits', { type: 'AccessToken', id: token.id })
  return columnsOf(after)
}

/** The columns of a token that hold its limits. */
export function columnsOf(limits: TokenLimits | null) {
  const expires_at = limits?.expires_at === undefined ? {} : { expires_at: new Date(limits.expires_at) }
  return { limits: limits && JSON.stringify(limits), ...expires_at }
}
