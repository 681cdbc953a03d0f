import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { OWNER } from './scopes.js'
import { Cursor, Enum, Id, Limit, Nullable, NullableTimestamp, Page, Timestamp } from './shapes.js'

/** One chat in the chats.json file of an export archive. */
export const ExportChat = Type.Object({
  id: Type.Optional(Id),
  personal: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String()),
  owner_id: Type.Optional(Id),
  members: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Optional(Id),
        role: Type.Optional(Enum(['owner', 'admin', 'editor', 'member'])),
      }),
    ),
  ),
  created_at: Type.Optional(Type.String({ format: 'date-time' })),
  updated_at: Type.Optional(Type.String({ format: 'date-time' })),
})
export type ExportChat = Static<typeof ExportChat>

/** One message in a day file of an export archive. */
export const ExportMessage = Type.Object({
  id: Type.Optional(Id),
  created_at: Type.Optional(Type.String({ format: 'date-time' })),
  deleted_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  content: Type.Optional(Type.String({ description: 'Left out for personal chats.' })),
  thread_id: Type.Optional(Nullable(Id, { description: 'Null when nobody commented.' })),
  reactions: Type.Optional(
    Type.Array(
      Type.Object({
        user_id: Type.Optional(Id),
        created_at: Type.Optional(Type.String()),
        code: Type.Optional(Type.String()),
      }),
    ),
  ),
  user: Type.Optional(
    Type.Object({
      id: Type.Optional(Id),
      role: Type.Optional(Enum(['member', 'bot'])),
      name: Type.Optional(Type.String()),
      last_name: Type.Optional(Type.String()),
      email: Type.Optional(Type.String()),
      tags: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  chat: Type.Optional(
    Type.Object({
      id: Type.Optional(Id),
      name: Type.Optional(Type.String()),
      personal: Type.Optional(Type.Boolean()),
      owner: Type.Optional(
        Type.Object({
          id: Type.Optional(Id),
          role: Type.Optional(Enum(['member', 'bot'])),
          name: Type.Optional(Type.String()),
          last_name: Type.Optional(Type.String()),
          email: Type.Optional(Type.String()),
          tags: Type.Optional(Type.Array(Type.String())),
        }),
      ),
      tags: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  thread: Type.Optional(
    Nullable(
      Type.Object({
        id: Type.Optional(Id),
        message_id: Type.Optional(Id),
        message_chat_id: Type.Optional(Type.String({ description: 'Text in the public source.' })),
      }),
    ),
  ),
})
export type ExportMessage = Static<typeof ExportMessage>

/** Order of a message export. */
export const ExportRequest = Type.Object({
  start_at: Type.String({ format: 'date', description: 'First day.' }),
  end_at: Type.String({
    format: 'date',
    description: 'Last day. At most 45 days, or 366 when chat_ids is given.',
  }),
  webhook_url: Type.Optional(Type.String({ description: 'Called when the archive is ready.' })),
  chat_ids: Type.Optional(Type.Array(Id, { maxItems: 50 })),
  skip_chats_file: Type.Optional(
    Type.Boolean({ default: false, description: 'Leave out the file with the list of chats.' }),
  ),
})
export type ExportRequest = Static<typeof ExportRequest>

export const orderExport = operation({
  id: 'orderExport',
  confined: false,
  area: 'Exports',
  summary: 'Order a message export',
  description: 'Prepared in the background; the archive is kept 7 days.',
  access: 'Workspace owner only.',
  method: 'POST',
  path: '/chats/exports',
  scope: 'chat_exports:write',
  plan: 'corporation',
  roles: OWNER,
  rate: 'other',
  body: ExportRequest,
  returns: { status: 204 },
  problems: {
    403: ['not_authorized'],
    422: [
      'blank',
      'invalid',
      'too_long',
      'invalid_date_range',
      'invalid_webhook_url',
      'not_found',
      'rate_limit',
    ],
  },
  whileSuspended: true,
})

export const downloadExport = operation({
  id: 'downloadExport',
  area: 'Exports',
  summary: 'Link to a ready archive',
  description:
    'The archive is a zip: a folder per chat named NAME_ID with one JSON file per day (items ExportMessage), and chats.json (items ExportChat) unless skipped.',
  access: 'Only the person who ordered it.',
  method: 'GET',
  path: '/chats/exports/{id}',
  scope: 'chat_exports:read',
  plan: 'corporation',
  roles: OWNER,
  rate: 'other',
  confined: false,
  params: Type.Object({ id: Id }),
  returns: { status: 302 },
  problems: { 404: ['export_file_not_found', 'not_found'] },
  whileSuspended: true,
})

/** An order of an export and how far it is. */
export const Export = Type.Object({
  id: Id,
  user_id: Id,
  state: Enum(['waiting', 'building', 'ready', 'failed', 'expired']),
  start_at: Type.String({ format: 'date' }),
  end_at: Type.String({ format: 'date' }),
  chat_ids: Nullable(Type.Array(Id)),
  days: Type.Integer({ description: 'Days of the period.' }),
  days_done: Type.Integer({ description: 'Days that are in the archive already.' }),
  messages: Type.Integer({ description: 'Messages that are in the archive already.' }),
  size: Nullable(Type.Integer({ format: 'int64' }), { description: 'Bytes of the finished archive.' }),
  created_at: Timestamp,
  finished_at: NullableTimestamp,
  expires_at: NullableTimestamp,
})
export type Export = Static<typeof Export>

export const listExports = operation({
  id: 'listExports',
  area: 'Exports',
  summary: 'Exports and how far they are, newest first',
  access: 'Workspace owner only.',
  method: 'GET',
  path: '/chats/exports',
  scope: 'chat_exports:read',
  plan: 'corporation',
  roles: OWNER,
  rate: 'other',
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: { status: 200, body: Page(Export) },
  whileSuspended: true,
  addition: true,
})
