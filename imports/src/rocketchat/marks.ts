import { asIds, asObject, type JsonObject } from '../json.js'
import { type ImportRecord, type MessageRecord, type Remark, remark } from '../records.js'
import { emojiOf } from '../text/emoji.js'
import { idOf, timeOf } from './documents.js'
import type { Reading } from './messages.js'

/** Reactions and the pin of a message. */
export function* readMarks(
  reading: Reading,
  message: JsonObject,
  { id, chat_id }: MessageRecord,
): Iterable<ImportRecord | Remark> {
  yield* readReactions(reading, message, id)
  if (message.pinned === true)
    yield {
      kind: 'pin',
      message_id: id,
      chat_id,
      person_id: idOf(asObject(message.pinnedBy)._id),
      at: timeOf(message.pinnedAt),
    }
}

/** People are kept by the user name that they had; those who were renamed are found by their full name, if by anything. */
function* readReactions(
  { people: { byUsername, byName } }: Reading,
  message: JsonObject,
  message_id: string,
): Iterable<ImportRecord | Remark> {
  for (const [code, value] of Object.entries(asObject(message.reactions))) {
    const { usernames, names } = asObject(value)
    const name = code.replaceAll(':', '')
    const full = Array.isArray(names) ? names : []
    for (const [index, username] of asIds(usernames).entries()) {
      const person_id = byUsername.get(username) ?? byName.get(String(full[index]))
      if (person_id)
        yield { kind: 'reaction', message_id, person_id, emoji: emojiOf(name) ?? `:${name}:`, at: null }
      else yield remark('skipped', 'reaction', 'is by somebody who was renamed or removed', message_id)
    }
  }
}
