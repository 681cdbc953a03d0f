import { type Static, Type } from 'typebox'
import { ChatCard } from './chat-cards.js'
import { Draft } from './drafts.js'
import { View } from './forms.js'
import { NotificationSettings } from './notifications.js'
import { operation } from './operation.js'
import { PersonCard } from './people.js'
import { Preferences } from './preferences.js'
import { PEOPLE } from './scopes.js'
import { CurrentSession, WorkspaceRole } from './sessions.js'
import { annotated, Cursor, Data, Enum, Limit, Nullable, PaginationMeta } from './shapes.js'
import { User } from './users.js'

/** What a person may do in the workspace. */
export const WorkspaceAct = Enum([
  'profile.rename',
  'chats.create',
  'users.invite',
  'users.update',
  'tags.manage',
  'fields.manage',
  'bots.create',
  'tokens.create',
  'workspace.update',
  'exports.create',
  'audit.read',
  'dlp.manage',
  'retention.manage',
])
export type WorkspaceAct = Static<typeof WorkspaceAct>

/** Everything that a client shows first, and the position of the live stream for which it is true. */
export const Start = Type.Object({
  position: Type.String({
    description: 'Open the live stream with it as `Last-Event-ID`; what follows is what this answer lacks.',
  }),
  version: Type.String({ description: 'Version of the server; another one means that the client is old.' }),
  user: User,
  role: WorkspaceRole,
  workspace: CurrentSession.properties.workspace,
  may: Type.Array(WorkspaceAct),
  preferences: Preferences,
  notifications: NotificationSettings,
  chats: Type.Array(ChatCard, {
    description:
      'Active conversations, channels and personal chats of the caller, latest message first: the first fifty, and those of the others that the preferences `favourite_chat_ids` and `sections` name, a hundred at most.',
  }),
  next_chats: Nullable(Type.String(), {
    description:
      'Cursor for `listOwnChatCards`, which gives the chats after the first fifty; null where there are none.',
  }),
  people: Type.Array(PersonCard, { description: 'Whom the chats name.' }),
  drafts: Type.Array(Draft, { description: 'Plain drafts, newest first, fifty at most.' }),
  views: Type.Array(View, { description: 'Open forms, newest first.' }),
  unread_threads: Type.Integer({ description: 'Followed threads with something unread. Counted up to 100.' }),
  notices_unread: Type.Integer({ description: 'Counted up to 100.' }),
})
export type Start = Static<typeof Start>

export const getStart = operation({
  id: 'getStart',
  area: 'Live',
  summary: 'Everything a client shows first',
  description:
    'One call for the first screen. The other chats follow by `listOwnChatCards`; archived chats are listed by `listChats`, more people by `listPeople`.',
  access: 'What concerns the caller.',
  method: 'GET',
  path: '/start',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  returns: { status: 200, body: Data(Start) },
})

export const listOwnChatCards = operation({
  id: 'listOwnChatCards',
  area: 'Live',
  summary: 'Own chats as the caller sees them',
  description:
    'Active conversations, channels and personal chats, latest message first; from the cursor `next_chats` of `getStart` on, those that it left out. A chat that is written to meanwhile moves to the top, and comes with the live stream.',
  access: 'What concerns the caller.',
  method: 'GET',
  path: '/start/chats',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  query: Type.Object({
    limit: Type.Optional(annotated(Limit(500), { default: 100 })),
    cursor: Type.Optional(
      annotated(Cursor, {
        description: 'Cursor from next_page or prev_page, or `next_chats` of `getStart`.',
      }),
    ),
  }),
  returns: {
    status: 200,
    body: Type.Object({
      data: Type.Array(ChatCard),
      people: Type.Array(PersonCard, { description: 'Whom the chats name.' }),
      meta: PaginationMeta,
    }),
  },
  problems: { 400: ['invalid'] },
})
