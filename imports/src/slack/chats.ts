import { groupName } from '../direct-chats.js'
import { asIds, asObject, filled, type JsonObject } from '../json.js'
import type { ChatRecord } from '../records.js'
import type { RichInline } from '../text/rich-text.js'
import { flatten, readSlackText } from './text.js'
import { milliseconds, seconds } from './times.js'
import { withoutTokens } from './tokens.js'

export type List = 'channels' | 'groups' | 'mpims' | 'dms'

export interface SlackChat {
  record: ChatRecord
  /** The folder of its days. */
  folder: string
  members: string[]
  /** Null where the export has no list of them: then its messages say so themselves. */
  pins: JsonObject[] | null
}

type NameOf = (person: string) => string

/** A text as people read it: without escapes, and with names for ids. */
function plainOf(text: string, nameOf: NameOf): string {
  const named = (inline: RichInline): RichInline =>
    inline.type === 'person' ? { ...inline, label: nameOf(inline.id) } : inline
  return readSlackText(withoutTokens(text))
    .map((block) => (block.type === 'line' ? flatten(block.children.map(named)) : block.text))
    .join('\n')
}

/** Topic and purpose: what a chat is about. */
function describe(chat: JsonObject, nameOf: NameOf): string | null {
  const texts = [asObject(chat.purpose).value, asObject(chat.topic).value].flatMap((value) => {
    const text = filled(value)
    return text ? plainOf(text, nameOf) : []
  })
  return texts.length > 0 ? [...new Set(texts)].join('\n') : null
}

export function readChat(chat: JsonObject, id: string, list: List, nameOf: NameOf): SlackChat {
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
      description: describe(chat, nameOf),
      public: list === 'channels',
      owner_id: filled(chat.creator),
      people: personal ? members : [],
      archived,
      archived_at: archived ? milliseconds(chat.updated) : null,
      created_at: seconds(chat.created),
    },
    folder: personal ? id : name,
    members,
    pins: Array.isArray(chat.pins) ? chat.pins : null,
  }
}
