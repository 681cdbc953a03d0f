import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { present } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'

/** Gives a person exactly these tags, by name; tags that are not there yet are made. */
export async function setUserTags(
  tx: Tx,
  ctx: Context,
  _actor: Actor,
  userId: number,
  names: readonly string[],
) {
  const created_at = present(ctx.clock)
  for (const name of names) {
    await tx
      .insertInto('group_tags')
      .values({ name, created_at })
      .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
      .execute()
  }
  await tx.deleteFrom('user_tags').where('user_id', '=', userId).execute()
  for (const name of names) {
    await tx
      .insertInto('user_tags')
      .columns(['tag_id', 'user_id'])
      .expression((eb) =>
        eb
          .selectFrom('group_tags')
          .select((select) => ['id', select.val(userId).as('user_id')])
          .where((where) => where.fn('lower', ['name']), '=', name.toLowerCase()),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
