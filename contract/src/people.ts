import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import { annotated, Cursor, Enum, Id, Limit, Nullable, NullableTimestamp, PaginationMeta } from './shapes.js'
import { GroupTag } from './tags.js'
import { UserRole } from './users.js'

/** What a list shows of a person or a bot; also of somebody who was deleted, since old messages name them. */
export const PersonCard = Type.Object({
  id: Id,
  name: Type.String({ description: 'Full name; the nickname where there is none.' }),
  first_name: Nullable(Type.String()),
  last_name: Nullable(Type.String()),
  nickname: Type.String(),
  image_url: Nullable(Type.String(), { description: 'Null without an avatar.' }),
  bot: Type.Boolean(),
  suspended: Type.Boolean(),
  deleted: Type.Boolean(),
  role: UserRole,
  title: Nullable(Type.String()),
  status: Nullable(
    Type.Object({
      emoji: Type.String(),
      title: Type.String(),
      expires_at: NullableTimestamp,
      away: Type.Boolean(),
    }),
  ),
  time_zone: Nullable(Type.String(), { description: 'Null when the workspace zone applies.' }),
})
export type PersonCard = Static<typeof PersonCard>

/** A chat that a look-up found. */
export const ChatMatch = Type.Object({
  id: Id,
  kind: Enum(['conversation', 'channel', 'personal']),
  name: Type.String({ description: 'Of a personal chat: the name of the other person.' }),
  public: Type.Boolean(),
  personal_user_id: Nullable(Id, { description: 'The other person of a personal chat.' }),
  member: Type.Boolean({ description: 'Whether the caller is in it.' }),
  members_count: Type.Integer({ format: 'int32' }),
})
export type ChatMatch = Static<typeof ChatMatch>

/** A command that a bot of the chat answers to. */
export const ChatCommand = Type.Object({
  command: Type.String({ description: 'Starts with `/`.' }),
  bot_id: Id,
})
export type ChatCommand = Static<typeof ChatCommand>

const lookUp = {
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  method: 'GET',
} as const

const Prefix = Type.String({
  maxLength: 255,
  description: 'Beginnings of words, in any order; letter case does not matter. Empty means all.',
})

export const listPeople = operation({
  ...lookUp,
  id: 'listPeople',
  scope: 'users:read',
  area: 'People',
  summary: 'Cards of people and bots',
  description:
    'By `ids`, in the order asked for; ids that name nobody are left out, those of deleted people are not. Without `ids`: people and bots that can be written to, by the beginnings of their names and nicknames, those in the chat first. Writes no audit record.',
  access: 'A multi-guest sees those who share a chat with them, and public bots.',
  path: '/people',
  query: Type.Object({
    ids: Type.Optional(Type.Array(Id, { maxItems: 200, description: 'At most 200. Comma-separated.' })),
    query: Type.Optional(Prefix),
    chat_id: Type.Optional(
      Type.Integer({
        format: 'int32',
        description: 'A chat or thread that the caller reads; its members come first.',
      }),
    ),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: {
    status: 200,
    body: Type.Object({
      data: Type.Array(PersonCard),
      meta: Type.Optional(annotated(PaginationMeta, { description: 'Not with `ids`.' })),
    }),
  },
  problems: { 400: ['too_long'], 403: ['not_authorized'], 404: ['not_found'] },
})

/** Somebody in a chat. */
export const RosterEntry = Type.Object({
  person: PersonCard,
  role: Enum(['owner', 'admin', 'editor', 'member'], { description: 'In the chat.' }),
})
export type RosterEntry = Static<typeof RosterEntry>

export const listRoster = operation({
  ...lookUp,
  id: 'listRoster',
  scope: 'chat_members:read',
  area: 'Chat members',
  summary: 'Who is in a chat, with their roles',
  description: 'Owner, admins and editors first. Suspended people are left out.',
  access: 'As for the roster of a chat (`listChatMembers`).',
  path: '/chats/{id}/roster',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    query: Type.Optional(Prefix),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Type.Object({ data: Type.Array(RosterEntry), meta: PaginationMeta }) },
  problems: { 403: ['not_authorized'], 404: ['not_found'] },
})

export const lookUpChats = operation({
  ...lookUp,
  id: 'lookUpChats',
  scope: 'chats:read',
  area: 'People',
  summary: 'Chats by the beginnings of words of their names',
  description:
    'Own chats and open ones, no threads, archived ones only when asked for; own ones first, then by last message. Writes no audit record.',
  path: '/lookup/chats',
  query: Type.Object({
    query: Type.Optional(Prefix),
    open: Type.Optional(Type.Boolean({ description: 'Open chats alone, by last message.' })),
    archived: Type.Optional(Type.Boolean({ description: 'Archived chats alone, instead of all others.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Type.Object({ data: Type.Array(ChatMatch), meta: PaginationMeta }) },
})

export const lookUpGroupTags = operation({
  ...lookUp,
  id: 'lookUpGroupTags',
  scope: 'group_tags:read',
  area: 'Group tags',
  summary: 'Tags by the beginning of their names',
  path: '/group_tags/lookup',
  query: Type.Object({ query: Type.Optional(Prefix), limit: Type.Optional(Limit(50)) }),
  returns: { status: 200, body: Type.Object({ data: Type.Array(GroupTag) }) },
})

export const listChatCommands = operation({
  ...lookUp,
  id: 'listChatCommands',
  scope: 'chats:read',
  area: 'People',
  summary: 'Commands of the bots in a chat',
  access: 'Whoever may read the chat. A thread has those of the chat it hangs in too.',
  path: '/chats/{id}/commands',
  params: Type.Object({ id: Id }),
  returns: {
    status: 200,
    body: Type.Object({ data: Type.Array(ChatCommand), people: Type.Array(PersonCard) }),
  },
  problems: { 403: ['not_authorized'], 404: ['not_found'] },
})
