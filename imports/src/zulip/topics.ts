import type { Archive } from '../archive/archive.js'
import { asText, readMember } from '../json.js'
import { placeOf, type Reading, reasonToSkip, topicKey, topicOf } from './messages.js'
import { secondsOf } from './people.js'

/**
 * The first message of each topic by time. Ids mostly follow time; those of histories that were imported there do not. A damaged file
 * is reported where its messages are read.
 */
export async function findRoots(
  archive: Archive,
  names: readonly string[],
  reading: Reading,
): Promise<Map<string, string>> {
  const first = new Map<string, { id: string; at: number }>()
  for (const name of names) {
    try {
      for await (const message of readMember(archive, name, 'zerver_message')) {
        const [id, at] = [asText(message.id), secondsOf(message.date_sent)]
        const topic = topicOf(message)
        const place = topic === '' ? null : placeOf(reading.tables, message)
        if (!id || at === null || !place || place.members.length > 0) continue
        if (reasonToSkip(reading, message, place)) continue
        const key = topicKey(place.chat, topic)
        const known = first.get(key)
        if (!known || at < known.at || (at === known.at && Number(id) < Number(known.id)))
          first.set(key, { id, at })
      }
    } catch {}
  }
  return new Map([...first].map(([key, { id }]) => [key, id]))
}
