import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { found } from '../platform/problem.js'
import { newRoom } from './meet.js'
import { insertMembers } from './member-queries.js'
import { personalKey } from './personal.js'
import { findPersonalChat, insertPersonalChat } from './personal-queries.js'

/** The personal chat of two people (or a person and a bot), made when it is not there. */
export async function openPersonalChat(tx: Tx, ctx: Context, from: number, to: number): Promise<number> {
  const at = now(ctx.clock)
  const made = await insertPersonalChat(tx, {
    owner_id: from,
    personal_key: personalKey(from, to),
    meet_slug: newRoom('personal'),
    created_at: at,
    last_message_at: at,
  })
  // A token with limits on chats does not see that there is one, and must not make one.
  if (ctx.confined) found(await findPersonalChat(tx, from, to), { key: 'entity_id', value: to })
  if (made === undefined) return (await findPersonalChat(tx, from, to))?.id as number
  await insertMembers(tx, made, [...new Set([from, to])], { role: 'admin', joined_at: at })
  return made
}
