import { cut } from './cut.js'
import type { ChatMemberRecord, ChatRecord } from './records.js'

/** What a direct chat is known by where the source has no id for it: its members. */
export function directId(members: readonly string[]): string {
  return `direct/${[...members].sort().join(',')}`
}

const NAME = 255

/** A group without a name of its own is called after its members. */
export function groupName(members: readonly string[], nameOf: (person: string) => string): string {
  const whole = members.map(nameOf).join(', ')
  return whole.length <= NAME ? whole : `${cut(whole, NAME - 1)}…`
}

/** A direct chat: of one or two it is personal, of more a closed conversation with its members. */
export function* directChat(
  id: string,
  members: readonly string[],
  nameOf: (person: string) => string,
): Iterable<ChatRecord | ChatMemberRecord> {
  const personal = members.length <= 2
  yield {
    kind: 'chat',
    id,
    type: personal ? 'personal' : 'conversation',
    name: groupName(members, nameOf),
    description: null,
    public: false,
    owner_id: null,
    people: personal ? [...members] : [],
    archived: false,
    archived_at: null,
    created_at: null,
  }
  if (personal) return
  for (const person_id of members) yield { kind: 'chat_member', chat_id: id, person_id, role: 'member' }
}
