import type { ChatFor } from '../chats/queries.js'
import type { Db } from '../platform/db/index.js'
import { findAt, findFirstUnread, listSide } from './page-queries.js'

/** Where a page of a timeline lies. */
export type Place =
  | { kind: 'newest' }
  | { kind: 'before' | 'after' | 'around'; message_id: number }
  | { kind: 'at'; time: Date }
  | { kind: 'first_unread' }

export interface TimelinePage {
  /** Oldest first. */
  ids: number[]
  has_older: boolean
  has_newer: boolean
  anchor_id: number | null
}

const BEYOND = Number.MAX_SAFE_INTEGER

async function pageBefore(db: Db, chatId: number, id: number, limit: number): Promise<TimelinePage> {
  const older = await listSide(db, chatId, '<', id, limit + 1)
  const ids = older.slice(0, limit).reverse()
  return { ids, has_older: older.length > limit, has_newer: id !== BEYOND, anchor_id: null }
}

async function pageAfter(db: Db, chatId: number, id: number, limit: number): Promise<TimelinePage> {
  const newer = await listSide(db, chatId, '>', id, limit + 1)
  return { ids: newer.slice(0, limit), has_older: true, has_newer: newer.length > limit, anchor_id: null }
}

async function pageAround(db: Db, chatId: number, id: number, limit: number): Promise<TimelinePage> {
  const half = Math.ceil(limit / 2)
  const older = await listSide(db, chatId, '<', id, limit - half + 1)
  const newer = await listSide(db, chatId, '>=', id, half + 1)
  const shown = { older: older.slice(0, limit - half), newer: newer.slice(0, half) }
  return {
    ids: [...shown.older.reverse(), ...shown.newer],
    has_older: older.length > limit - half,
    has_newer: newer.length > half,
    anchor_id: newer[0] ?? older[0] ?? null,
  }
}

/** The ids of a page; each costs as much in a chat of a million messages as in one of ten. */
export async function findPage(db: Db, chat: ChatFor, place: Place, limit: number): Promise<TimelinePage> {
  if (place.kind === 'before') return pageBefore(db, chat.id, place.message_id, limit)
  if (place.kind === 'after') return pageAfter(db, chat.id, place.message_id, limit)
  if (place.kind === 'around') return pageAround(db, chat.id, place.message_id, limit)
  const anchor =
    place.kind === 'at'
      ? await findAt(db, chat.id, place.time)
      : place.kind === 'first_unread'
        ? await findFirstUnread(db, chat)
        : undefined
  return anchor === undefined
    ? pageBefore(db, chat.id, BEYOND, limit)
    : pageAround(db, chat.id, anchor, limit)
}
