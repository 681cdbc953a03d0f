import { insertMembers } from '../chats/member-queries.js'
import { now } from '../platform/clock.js'
import { transaction } from '../platform/db/transaction.js'
import type { Person, World } from './world.js'

/** Somebody is in a chat from now on, as a row alone: nobody hears of it. */
export async function join(
  { ctx }: Pick<World, 'ctx'>,
  chat: { id: number },
  person: Pick<Person, 'id'>,
  role = 'member',
) {
  const membership = { role, joined_at: now(ctx.clock) }
  await transaction(ctx, (tx) => insertMembers(tx, chat.id, [person.id], membership))
}
