import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { newRoom } from './meet.js'
import { insertMembers } from './member-queries.js'
import { findPersonalChat, insertPersonalChat } from './personal-queries.js'

/** One personal chat per pair of people, no matter who wrote first; a chat with oneself is a pair of one. */
export function personalKey(a: number, b: number): string {
  return a < b ? `${a}:${b}` : `${b}:${a}`
}

/** The other side of a personal chat; of a chat with oneself, oneself. */
export function otherSide(chat: { personal_key: string | null }, userId: number): number {
  const [a = 0, b = 0] = (chat.personal_key ?? '').split(':').map(Number)
  return a === userId ? b : a
}

/** The same in SQL, of the personal chat `c` for the person whose id the expression `viewer` gives. */
export function otherSideSql(viewer: string): string {
  return `case when split_part(c.personal_key, ':', 1)::bigint = ${viewer}
    then split_part(c.personal_key, ':', 2)::bigint else split_part(c.personal_key, ':', 1)::bigint end`
}

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
  if (made === undefined) return (await findPersonalChat(tx, from, to))?.id as number
  await insertMembers(tx, made, [...new Set([from, to])], { role: 'admin', joined_at: at })
  return made
}
