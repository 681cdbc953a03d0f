import type { Db } from '../platform/db/index.js'
import { listRooms } from './chat-queries.js'
import type { Mapping } from './run-state.js'

/** A chat of the source that the mapping puts into one which is not here; undefined where all are. */
export async function findLostRoom(
  db: Db,
  { chats = {} }: Mapping,
): Promise<{ source_id: string; id: number } | undefined> {
  const wanted = Object.entries(chats).map(([source_id, id]) => ({ source_id, id }))
  if (wanted.length === 0) return undefined
  const rooms = await listRooms(
    db,
    wanted.map(({ id }) => id),
  )
  return wanted.find(({ id }) => !rooms.has(id))
}
