import { asText, filled, type JsonObject } from '../json.js'
import { type ChatRecord, type ImportRecord, isWanted, type Remark, remark } from '../records.js'
import { type Reading, streamId } from './messages.js'
import { secondsOf } from './people.js'
import type { Tables } from './tables.js'

/** Old versions wrote before the name that a stream is no longer used. */
export function streamName(row: JsonObject, id: string): string {
  const name = (filled(row.name) ?? `stream ${id}`).replace(/^(!{1,20}|.{8}!)DEACTIVATED:/, '').trim()
  return name === '' ? `stream ${id}` : name
}

const EVERYONE = 'role:everyone'

/** Whether only some may write: the policy of old versions, or the group of newer ones. */
function isLimited(row: JsonObject, { groupNames }: Tables): boolean {
  if (Number(row.stream_post_policy) > 1) return true
  const group = groupNames.get(asText(row.can_send_message_group) ?? '')
  return group !== undefined && group !== EVERYONE
}

/** Owners, administrators and moderators write where others may not. */
const MODERATOR = 300

function memberRole({ type }: ChatRecord, person: JsonObject | undefined): 'editor' | 'member' {
  return type === 'channel' && Number(person?.role) <= MODERATOR ? 'editor' : 'member'
}

function chatOf(row: JsonObject, id: string, tables: Tables): ChatRecord {
  const archived = row.deactivated === true || /DEACTIVATED:/.test(asText(row.name) ?? '')
  return {
    kind: 'chat',
    id: streamId(id),
    type: isLimited(row, tables) ? 'channel' : 'conversation',
    name: streamName(row, id),
    description: filled(row.description),
    public: row.invite_only !== true,
    owner_id: asText(row.creator),
    people: [],
    archived,
    archived_at: null,
    created_at: secondsOf(row.date_created),
  }
}

export function* readStreams(reading: Reading): Iterable<ImportRecord | Remark> {
  const { tables, options } = reading
  const streams = new Map<string, ChatRecord>()
  for (const [id, row] of tables.streams) {
    const chat = chatOf(row, id, tables)
    if (!isWanted(chat, options)) {
      yield remark('skipped', 'chat', 'was not asked for', chat.id)
      continue
    }
    reading.chats.add(chat.id)
    streams.set(id, chat)
    yield chat
  }
  for (const [recipient, { type, id }] of tables.recipients) {
    const chat = type === 2 ? streams.get(id) : undefined
    if (!chat) continue
    for (const person_id of tables.subscribers.get(recipient) ?? []) {
      const person = tables.people.get(person_id)
      if (person) yield { kind: 'chat_member', chat_id: chat.id, person_id, role: memberRole(chat, person) }
    }
  }
}
