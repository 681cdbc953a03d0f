import { type Preferences, preferencesChanged } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { Problem } from '../platform/problem.js'

const BYTES_AT_MOST = 64 * 1024

export async function readPreferences(ctx: Pick<Context, 'db'>, userId: number): Promise<Preferences> {
  const row = await ctx.db
    .selectFrom('preferences')
    .select('value')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.value ?? {}
}

export function replacePreferences(
  ctx: Context,
  actor: Actor,
  preferences: Preferences,
): Promise<Preferences> {
  const value = JSON.stringify(preferences)
  if (Buffer.byteLength(value) > BYTES_AT_MOST) throw new Problem(422, 'too_long', { key: 'preferences' })
  const { user_id } = actor
  return transaction(ctx, async (tx) => {
    const changed_at = now(ctx.clock)
    await tx
      .insertInto('preferences')
      .values({ user_id, value, changed_at })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ value, changed_at }))
      .execute()
    await emit(tx, ctx, actor, preferencesChanged, { user_id, preferences })
    return preferences
  })
}
