import { groupName } from '../direct-chats.js'
import { asIds, asObject, filled, type JsonObject } from '../json.js'
import type { ChatRecord } from '../records.js'
import { milliseconds, seconds } from './times.js'

export type List = 'channels' | 'groups' | 'mpims' | 'dms'

export interface SlackChat {
  record: ChatRecord
  /** The folder of its days. */
  folder: string
  members: string[]
  pins: JsonObject[]
}

/** Topic and purpose: what a chat is about. */
function describe(chat: JsonObject): string | null {
  const texts = [asObject(chat.purpose).value, asObject(chat.topic).value].flatMap(
    (value) => filled(value) ?? [],
  )
  return texts.length > 0 ? [...new Set(texts)].join('\n') : null
}

export function readChat(
  chat: JsonObject,
  id: string,
  list: List,
  nameOf: (person: string) => string,
): SlackChat {
  const members = [...new Set(asIds(chat.members))]
  const name = filled(chat.name) ?? id
  const personal = list === 'dms'
  const archived = Boolean(chat.is_archived)
  return {
    record: {
      kind: 'chat',
      id,
      type: personal ? 'personal' : 'conversation',
      name: list === 'mpims' ? groupName(members, nameOf) : name,
      description: describe(chat),
      public: list === 'channels',
      owner_id: filled(chat.creator),
      people: personal ? members : [],
      archived,
      archived_at: archived ? milliseconds(chat.updated) : null,
      created_at: seconds(chat.created),
    },
    folder: personal ? id : name,
    members,
    pins: Array.isArray(chat.pins) ? chat.pins : [],
  }
}
