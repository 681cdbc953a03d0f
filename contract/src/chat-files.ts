import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PersonCard } from './people.js'
import { PEOPLE } from './scopes.js'
import { annotated, Cursor, Enum, Id, Limit, PaginationMeta, Timestamp } from './shapes.js'
import { TimelineFile } from './timeline.js'

/** What a list of files can be narrowed to; `audio` has voice messages too. */
export const ChatFileKind = Enum(['image', 'video', 'audio', 'file'])
export type ChatFileKind = Static<typeof ChatFileKind>

/** A file with the message that it was sent with. */
export const ChatFile = Type.Object({
  ...TimelineFile.properties,
  message_id: Type.Integer({ format: 'int64' }),
  thread_id: Type.Union([Type.Integer({ format: 'int64' }), Type.Null()], {
    description: 'The thread that the message is a reply in.',
  }),
  user_id: Id,
  created_at: Timestamp,
})
export type ChatFile = Static<typeof ChatFile>

export const listChatFiles = operation({
  id: 'listChatFiles',
  area: 'Files',
  summary: 'Files of a chat',
  description: 'Those of its threads too, latest first.',
  access: 'Members; any employee for an open chat. A thread has no list of its own.',
  mayLag: true,
  method: 'GET',
  path: '/chats/{id}/files',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  params: Type.Object({ id: Id }),
  query: Type.Object({
    kind: Type.Optional(annotated(ChatFileKind, { description: 'Files of this kind alone.' })),
    limit: Type.Optional(annotated(Limit(50), { default: 50 })),
    cursor: Type.Optional(Cursor),
  }),
  returns: {
    status: 200,
    body: Type.Object({
      data: Type.Array(ChatFile),
      people: Type.Array(PersonCard, { description: 'Who sent them.' }),
      meta: PaginationMeta,
    }),
  },
  problems: { 400: ['invalid'], 404: ['not_found'] },
})
