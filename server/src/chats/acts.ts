import type { ChatAct, Role } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { deny, type Verdict } from '../platform/problem.js'
import {
  mayAddMembers,
  mayBindTags,
  mayChangeRoles,
  mayLeave,
  mayRemoveMembers,
  mayUnbindTags,
} from './member-rules.js'
import type { ChatFor } from './queries.js'
import {
  mayArchive,
  mayDeleteOthersMessages,
  mayPin,
  mayStartThread,
  mayUnarchive,
  mayUpdateChat,
  mayWrite,
} from './rules.js'

type Rule = (actor: Actor, chat: ChatFor, held: boolean) => Verdict

/** The rule behind each act, the same that judges the act itself. */
const RULES: Record<ChatAct, Rule> = {
  write: mayWrite,
  pin: mayPin,
  start_thread: mayStartThread,
  delete_messages: (_, chat) => mayDeleteOthersMessages(chat),
  edit: mayUpdateChat,
  archive: (_, chat) => mayArchive(chat),
  unarchive: (_, chat) => (chat.archived_at ? mayUnarchive(chat) : deny('not_authorized')),
  add_members: mayAddMembers,
  remove_members: (_, chat) => mayRemoveMembers(chat),
  set_roles: (_, chat) => mayChangeRoles(chat),
  bind_tags: mayBindTags,
  unbind_tags: (_, chat) => mayUnbindTags(chat),
  leave: mayLeave,
}

const ACTS = Object.keys(RULES) as ChatAct[]
const KINDS = ['conversation', 'channel', 'personal', 'thread'] as const
const ROLES = ['owner', 'admin', 'editor', 'member', null] as const
const EITHER = [false, true] as const

/** All that the rules look at in a chat `c`, a member `me` of it, and the chat `p` with the member `mine` above a thread. */
export const ACTS_KEY_SQL = `c.kind || ':' || (c.public)::int || (c.archived_at is not null)::int
  || coalesce(me.role, '') || case when c.kind = 'thread' then
    ':' || coalesce(p.public, false)::int || coalesce(mine.role, '') else '' end
  || case when me.tag_ids <> '{}' and exists (
    select from chat_tags t where t.chat_id = c.id and t.tag_id = any(me.tag_ids)) then ':held' else '' end`

function keyOf(chat: ChatFor, held: boolean): string {
  const { kind, my_role, my_parent_role } = chat
  const above = kind === 'thread' ? `:${Number(chat.parent_public)}${my_parent_role ?? ''}` : ''
  return `${kind}:${Number(chat.public)}${Number(chat.archived_at !== null)}${my_role ?? ''}${above}${held ? ':held' : ''}`
}

function* everyChat(): Generator<ChatFor> {
  for (const kind of KINDS)
    for (const open of EITHER)
      for (const archived of EITHER)
        for (const my_role of ROLES)
          for (const parent_public of kind === 'thread' ? EITHER : [false])
            for (const my_parent_role of kind === 'thread' ? ROLES : [null]) {
              const archived_at = archived ? new Date(0) : null
              const chat = { kind, public: open, archived_at, my_role, parent_public, my_parent_role }
              yield chat as unknown as ChatFor
            }
}

function actsOf(role: Role): Map<string, string> {
  const actor = { role } as Actor
  const acts = new Map<string, string>()
  for (const chat of everyChat())
    for (const held of chat.my_role === null ? [false] : EITHER) {
      const allowed = ACTS.filter((act) => RULES[act](actor, chat, held).allowed)
      acts.set(keyOf(chat, held), JSON.stringify(allowed))
    }
  return acts
}

const tables = new Map<Role, Map<string, string>>()

/**
 * What somebody of this role may do in chats of every sort, as JSON by the key of `ACTS_KEY_SQL`, so that the rules
 * stay these functions alone. The table is put into the text afterwards: looked up inside the statement it cost more
 * than all the rest of a card.
 */
export function actsTable(role: Role): ReadonlyMap<string, string> {
  const known = tables.get(role)
  if (known) return known
  const table = actsOf(role)
  tables.set(role, table)
  return table
}
