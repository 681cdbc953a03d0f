import type { Archive } from '../archive/archive.js'
import { asText, filled, type JsonObject, readMember } from '../json.js'
import { type ImportRecord, type Remark, remark } from '../records.js'
import type { Tables } from './tables.js'

const readRows = (archive: Archive) => readMember(archive, 'realm.json', 'zerver_reaction')

/** Names of emoji are not the usual ones, and their table is in no export. Reactions hold names beside the code points. */
export async function learnEmoji(archive: Archive): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  for await (const row of readRows(archive)) {
    const name = filled(row.emoji_name)
    if (name && row.reaction_type === 'unicode_emoji') known.set(name, emojiOf(row))
  }
  return known
}

export async function* readReactions(
  archive: Archive,
  { people, bots }: Tables,
): AsyncIterable<ImportRecord | Remark> {
  for await (const row of readRows(archive)) {
    const [message_id, person_id] = [asText(row.message), asText(row.user_profile)]
    if (!message_id || !person_id || !(people.has(person_id) || bots.has(person_id))) {
      yield remark('skipped', 'reaction', 'is by somebody unknown', message_id ?? '')
      continue
    }
    yield { kind: 'reaction', message_id, person_id, emoji: emojiOf(row), at: null }
  }
}

function emojiOf(row: JsonObject): string {
  const code = asText(row.emoji_code) ?? ''
  if (row.reaction_type !== 'unicode_emoji' || !/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(code))
    return `:${asText(row.emoji_name) ?? ''}:`
  const points = code.split('-').map((point) => Number.parseInt(point, 16))
  return points.every((point) => point <= 0x10ffff)
    ? String.fromCodePoint(...points)
    : `:${asText(row.emoji_name) ?? ''}:`
}
