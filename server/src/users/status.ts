import { isDeepStrictEqual } from 'node:util'
import { type StatusUpdateRequest, type UserStatus, userStatusChanged } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { BLANK, TIME } from '../platform/http/fault-text.js'
import { found, Problem, problemItem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'
import { presentStatus } from './present.js'
import { findUserFor, lockUser, updateUser } from './queries.js'

type StatusChange = StatusUpdateRequest['status']

/** Bare null where there is none. */
export async function readStatus(ctx: Context, actor: Actor, userId: number) {
  const user = found(await findUserFor(ctx.db, actor, userId), { key: 'user_id', value: userId })
  const data = presentStatus(user.status, now(ctx.clock))
  return data && { data }
}

/** Changes what was passed of a status, or begins one. */
export function changeStatus(
  ctx: Context,
  actor: Actor,
  userId: number,
  input: StatusChange,
): Promise<UserStatus> {
  return transaction(ctx, async (tx) => {
    const user = found(await lockUser(tx, userId), { key: 'user_id', value: userId })
    const at = now(ctx.clock)
    const before = presentStatus(user.status, at)
    const status = statusAfter(before, input, at)
    if (isDeepStrictEqual(status, before)) return status
    await updateUser(tx, user.id, { status: JSON.stringify(status) })
    await emit(tx, ctx, actor, userStatusChanged, { user_id: user.id })
    return status
  })
}

export function clearStatus(ctx: Context, actor: Actor, userId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const user = found(await lockUser(tx, userId), { key: 'user_id', value: userId })
    if (!user.status) return
    await updateUser(tx, user.id, { status: null })
    await emit(tx, ctx, actor, userStatusChanged, { user_id: user.id })
  })
}

function statusAfter(before: UserStatus | null, input: StatusChange, now: Date): UserStatus {
  const emoji = input.emoji ?? before?.emoji ?? ''
  const title = (input.title ?? before?.title ?? '').trim()
  const empty = Object.entries({ emoji, title }).filter(([, value]) => value === '')
  if (empty.length > 0) {
    throw Problem.of(
      422,
      empty.map(([key]) => problemItem('blank', { key, message: BLANK })),
    )
  }
  if (!isOneEmoji(emoji)) throw new Problem(422, 'wrong_emoji', { key: 'emoji', value: emoji })
  const away = input.away_message === undefined ? before?.away_message : presentAway(input.away_message)
  return {
    emoji,
    title,
    expires_at: input.expires_at === undefined ? (before?.expires_at ?? null) : expiry(input.expires_at, now),
    is_away: input.is_away ?? before?.is_away ?? false,
    away_message: away ?? null,
  }
}

function presentAway(text: string): UserStatus['away_message'] {
  return text.trim() === '' ? null : { text }
}

function expiry(text: string, now: Date): string {
  const at = parseTime(text)
  if (!at || at <= now)
    throw new Problem(422, 'invalid', {
      key: 'expires_at',
      value: text,
      message: `${TIME} that is still to come`,
    })
  return at.toISOString()
}

const RGI = String.raw`^\p{RGI_Emoji}$`
const ONE_EMOJI = new RegExp(RGI, 'v')

/** Also without the selector that makes an emoji of an old sign: many keyboards leave it out. */
function isOneEmoji(text: string): boolean {
  return ONE_EMOJI.test(text) || ONE_EMOJI.test(`${text}\uFE0F`)
}
