import { filled } from '../json.js'
import type { Remark } from '../records.js'
import type { ChunkIndex } from './chunks.js'
import { idOf } from './documents.js'
import { Damage, type Dump } from './dump.js'
import { filesBeside, placeOf } from './files.js'

const FIELDS = new Set(['_id', 'name', 'userId', 'rid', 'store', 'size', 'complete'])

export interface Pictures {
  of(id: string, username: string | null): { picture?: string }
}

/** Pictures of accounts. Older versions know them by the user name alone. */
export async function* findPictures(dump: Dump, chunks: ChunkIndex): AsyncGenerator<Remark, Pictures> {
  const byId = new Map<string, string>()
  const byUsername = new Map<string, string>()
  if (dump.has('rocketchat_avatars')) await chunks.fill()
  const beside = filesBeside(dump)
  for await (const avatar of dump.read('rocketchat_avatars', FIELDS)) {
    if (avatar instanceof Damage) {
      yield avatar.remark
      continue
    }
    const id = idOf(avatar._id)
    const size = Number(avatar.size)
    const isOfRoom = idOf(avatar.rid) !== null
    if (id === null || isOfRoom || avatar.complete === false) continue
    const known = Number.isSafeInteger(size) && size > 0 ? size : null
    const path = placeOf({ store: avatar.store, size: known }, id, chunks, beside)
    const [owner, username] = [idOf(avatar.userId), filled(avatar.name)]
    if (path && owner) byId.set(owner, path)
    if (path && username) byUsername.set(username, path)
  }
  return {
    of(id, username) {
      const picture = byId.get(id) ?? byUsername.get(username ?? '')
      return picture ? { picture } : {}
    },
  }
}
