import { isDeepStrictEqual } from 'node:util'
import { type Preferences, preferencesChanged } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { Problem } from '../platform/problem.js'
import { findPreferences, putPreferences } from './preference-queries.js'

const BYTES_AT_MOST = 64 * 1024

export async function readPreferences(ctx: Pick<Context, 'db'>, userId: number): Promise<Preferences> {
  return (await findPreferences(ctx.db, userId)) ?? {}
}

export function replacePreferences(
  ctx: Context,
  actor: Actor,
  preferences: Preferences,
): Promise<Preferences> {
  const value = JSON.stringify(preferences)
  const bytes = Buffer.byteLength(value)
  if (bytes > BYTES_AT_MOST) {
    const message = `at most ${BYTES_AT_MOST} bytes as JSON, got ${bytes}`
    throw new Problem(422, 'too_long', { key: 'preferences', message })
  }
  const { user_id } = actor
  return transaction(ctx, async (tx) => {
    if (isDeepStrictEqual(await findPreferences(tx, user_id), preferences)) return preferences
    await putPreferences(tx, user_id, value, now(ctx.clock))
    await emit(tx, ctx, actor, preferencesChanged, { user_id, preferences })
    return preferences
  })
}
