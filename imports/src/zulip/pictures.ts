import type { Archive } from '../archive/archive.js'
import { asText, filled, isObject, readArray } from '../json.js'
import { type Remark, unreadable } from '../records.js'

const FOLDER = 'avatars'
const RECORDS = `${FOLDER}/records.json`

/** The picture as it was uploaded is better than the small one that the server made of it. */
const ORIGINAL = /\.original$/
const SMALL = /-medium\.png$/

/** Pictures of people and bots, by their ids. */
export async function* findPictures(
  archive: Archive,
): AsyncGenerator<Remark, Map<string, { picture: string }>> {
  const found = new Map<string, { picture: string }>()
  try {
    for await (const row of readArray(archive, RECORDS)) {
      if (!isObject(row)) continue
      const [id, path] = [asText(row.user_profile_id), filled(row.path)]
      const picture = `${FOLDER}/${path}`
      if (!id || !path || SMALL.test(path) || !archive.entries.has(picture)) continue
      if (ORIGINAL.test(path) || !found.has(id)) found.set(id, { picture })
    }
  } catch (error) {
    yield unreadable(RECORDS, error)
  }
  return found
}
