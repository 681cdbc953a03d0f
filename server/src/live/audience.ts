import type { Actor } from '../platform/actor.js'
import type { Db } from '../platform/db/index.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { listViewers } from './queries.js'

type Viewer = Pick<Actor, 'user_id' | 'role'>
export type Audience = (event: RelayedEvent, viewer: Viewer) => boolean

/** What concerns one person alone, wherever it happened. */
const PRIVATE = /^(view|button|notice|bot|export|draft|token)\./
/** What everybody but guests may hear of. */
const WIDE = /^(company_members|user|workspace|custom_property)\./

function named({ payload }: RelayedEvent, userId: number): boolean {
  if (payload.user_id === userId) return true
  return [payload.user_ids, payload.performer_ids].some((ids) => Array.isArray(ids) && ids.includes(userId))
}

/**
 * Who hears of these events, judged by who is in the chats now: somebody who joined hears at once, and somebody who
 * left hears of the leaving and then of nothing more.
 */
export async function audienceOf(
  db: Db,
  events: readonly RelayedEvent[],
  viewers: readonly Viewer[],
): Promise<Audience> {
  const chatIds = [...new Set(events.flatMap(({ chat_id }) => (chat_id === null ? [] : [chat_id])))]
  const userIds = [...new Set(viewers.map(({ user_id }) => user_id))]
  const inside = new Map(
    (await listViewers(db, chatIds, userIds)).map((row) => [`${row.chat_id}:${row.user_id}`, row]),
  )
  return (event, viewer) => {
    const { type, chat_id } = event
    if (PRIVATE.test(type)) return named(event, viewer.user_id)
    if (WIDE.test(type)) return viewer.role !== 'multi_guest' || named(event, viewer.user_id)
    const place = inside.get(`${chat_id}:${viewer.user_id}`)
    // In a large chat everybody's pointer moves all the time; only two people watch each other read.
    if (type === 'read.moved') return named(event, viewer.user_id) || place?.personal === true
    if (place) return true
    return (chat_id === null || type.startsWith('chat_members.')) && named(event, viewer.user_id)
  }
}
