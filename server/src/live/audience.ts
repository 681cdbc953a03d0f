import { type Audience, EVENTS } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Db } from '../platform/db/index.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { listViewers } from './queries.js'

type Viewer = Pick<Actor, 'user_id' | 'role'>
export type Hears = (event: RelayedEvent, viewer: Viewer) => boolean

const DECLARED = new Map<string, Audience>(EVENTS.map(({ type, audience }) => [type, audience]))

function namedIn({ payload }: RelayedEvent): readonly number[] {
  if ('user_ids' in payload) return payload.user_ids
  if ('performer_ids' in payload) {
    const former = 'former_performer_ids' in payload ? payload.former_performer_ids : undefined
    return [payload.user_id, ...payload.performer_ids, ...(former ?? [])]
  }
  return 'user_id' in payload ? [payload.user_id] : []
}

/**
 * Who hears of these events, judged by who is in the chats now: somebody who joined hears at once, and somebody who
 * left hears of the leaving and then of nothing more.
 */
export async function audienceOf(
  db: Db,
  events: readonly RelayedEvent[],
  viewers: readonly Viewer[],
): Promise<Hears> {
  const chatIds = [...new Set(events.flatMap(({ chat_id }) => (chat_id === null ? [] : [chat_id])))]
  const userIds = [...new Set(viewers.map(({ user_id }) => user_id))]
  const inside = new Map(chatIds.map((id) => [id, new Map<number, { personal: boolean }>()]))
  for (const row of await listViewers(db, chatIds, userIds)) inside.get(row.chat_id)?.set(row.user_id, row)
  return (event, { user_id, role }) => {
    const place = event.chat_id === null ? undefined : inside.get(event.chat_id)?.get(user_id)
    const isNamed = () => namedIn(event).includes(user_id)
    switch (DECLARED.get(event.type)) {
      case 'chat':
        return place !== undefined
      case 'chat_and_named':
      case 'chat_and_performers':
        return place !== undefined || isNamed()
      case 'reader':
        return isNamed() || place?.personal === true
      case 'person':
        return isNamed()
      case 'workspace':
        return role !== 'multi_guest' || isNamed()
      default:
        // Stored by another version of the server.
        return false
    }
  }
}
