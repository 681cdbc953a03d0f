import { type Static, Type } from 'typebox'
import { File, FileType } from './files.js'
import { operation } from './operation.js'
import { BOTS, EVERYONE, PEOPLE } from './scopes.js'
import {
  annotated,
  Cursor,
  Data,
  Enum,
  Id,
  Limit,
  Nullable,
  NullableTimestamp,
  Page,
  PageNumber,
  PerPage,
  SortOrder,
  Timestamp,
} from './shapes.js'

/** Either `url` (link) or `data` (sent to the bot when pressed). */
export const Button = Type.Object({
  text: Type.String({ maxLength: 255 }),
  url: Type.Optional(Type.String({ maxLength: 1024 })),
  data: Type.Optional(Type.String({ maxLength: 255 })),
})
export type Button = Static<typeof Button>

/** Rows of buttons: at most 32 rows, 8 in a row, 100 in a message. */
export const ButtonRows = Type.Array(Type.Array(Button, { maxItems: 8 }), { maxItems: 32 })
export type ButtonRows = Static<typeof ButtonRows>

/** Origin of a forwarded message. */
export const Forwarding = Type.Object({
  original_message_id: Id,
  original_chat_id: Id,
  author_id: Id,
  original_created_at: Timestamp,
  original_thread_id: Nullable(Id),
  original_thread_message_id: Nullable(Id),
  original_thread_parent_chat_id: Nullable(Id),
})
export type Forwarding = Static<typeof Forwarding>

/** Preview of one link; `image` wins over `image_url`. */
export const LinkPreview = Type.Object({
  title: Type.String(),
  description: Type.String(),
  image_url: Type.Optional(Type.String()),
  image: Type.Optional(
    Type.Object({
      key: Type.String(),
      name: Type.String(),
      size: Type.Optional(Type.Integer({ format: 'int32' })),
    }),
  ),
})
export type LinkPreview = Static<typeof LinkPreview>

/** Previews by link. One wrong link refuses the whole request. */
export const LinkPreviewsRequest = Type.Object({
  link_previews: Type.Record(Type.String(), LinkPreview),
})
export type LinkPreviewsRequest = Static<typeof LinkPreviewsRequest>

/** Where a message belongs: conversation or channel, thread, or personal chat with a user. */
export const MessageEntityType = Enum(['discussion', 'thread', 'user'])
export type MessageEntityType = Static<typeof MessageEntityType>

/** Data of a voice attachment. In a draft the transcript is always null. */
export const VoiceContent = Type.Object({
  duration_ms: Type.Integer({ format: 'int32' }),
  waveform: Type.String(),
  transcript: Nullable(Type.String()),
})
export type VoiceContent = Static<typeof VoiceContent>

/** A message. */
export const Message = Type.Object({
  id: Id,
  entity_type: MessageEntityType,
  entity_id: Id,
  chat_id: Id,
  root_chat_id: Type.Integer({
    format: 'int32',
    description:
      'For a thread message: the chat of the parent message. Otherwise, and in a standalone thread, equal to chat_id.',
  }),
  content: Type.String({ description: 'Empty for attachments only and for a deleted message.' }),
  user_id: Id,
  created_at: Timestamp,
  url: Type.String(),
  files: Type.Array(File),
  voice_content: Nullable(VoiceContent),
  buttons: Nullable(Type.Array(Type.Array(Button)), {
    description: 'Rows of buttons; null when sent without.',
  }),
  thread: Nullable(
    Type.Object({
      id: Type.Integer({ format: 'int64' }),
      chat_id: Type.Integer({ format: 'int64' }),
    }),
    {
      description:
        'Thread started under this message; null when there is none and for messages inside a thread.',
    },
  ),
  forwarding: Nullable(Forwarding),
  parent_message_id: Nullable(Id),
  display_avatar_url: Type.Optional(
    Nullable(Type.String(), {
      description: 'Present only on messages of bots; null when the bot did not override it.',
    }),
  ),
  display_name: Type.Optional(
    Nullable(Type.String(), {
      description: 'Present only on messages of bots; null when the bot did not override it.',
    }),
  ),
  changed_at: annotated(NullableTimestamp, { description: 'Equals created_at until the first edit.' }),
  deleted_at: annotated(NullableTimestamp, {
    description: 'Set on a deleted message, which single reads still return, emptied; lists leave it out.',
  }),
  system: Type.Boolean({
    description: 'Written by the server to tell what somebody did to the chat. An addition of ours.',
  }),
})
export type Message = Static<typeof Message>

/** File of a new message. */
export const MessageFileInput = Type.Object({
  key: Type.String({ maxLength: 1000 }),
  name: Type.String({
    maxLength: 255,
    description: 'Its extension must equal that of the key, otherwise 422 wrong_params.',
  }),
  file_type: FileType,
  size: Type.Integer({ format: 'int64' }),
  width: Type.Optional(Type.Integer({ format: 'int32' })),
  height: Type.Optional(Type.Integer({ format: 'int32' })),
  duration_ms: Type.Optional(
    Type.Integer({
      format: 'int32',
      minimum: 1,
      maximum: 1800000,
      description: 'Required for voice; at most 30 minutes.',
    }),
  ),
  waveform: Type.Optional(Type.String({ maxLength: 256, description: 'Required for voice.' })),
})
export type MessageFileInput = Static<typeof MessageFileInput>

/** New message. */
export const MessageCreateRequest = Type.Object({
  message: Type.Object(
    {
      entity_type: Type.Optional(
        annotated(MessageEntityType, {
          default: 'discussion',
          description: 'Case does not matter; an unknown value gives 400 invalid.',
          'x-error-code': 'invalid',
        }),
      ),
      entity_id: Type.Integer({
        format: 'int32',
        description:
          'Chat, thread or user, as entity_type says. With discussion any chat id works, also that of a thread chat.',
      }),
      content: Type.Optional(Type.String({ description: '`<@id>` becomes a mention by nickname.' })),
      files: Type.Optional(Type.Array(MessageFileInput, { maxItems: 10 })),
      buttons: Type.Optional(ButtonRows),
      parent_message_id: Type.Optional(Id),
      display_avatar_url: Type.Optional(Type.String({ maxLength: 255, description: 'Bot tokens only.' })),
      display_name: Type.Optional(Type.String({ maxLength: 255, description: 'Bot tokens only.' })),
      skip_invite_mentions: Type.Optional(
        Type.Boolean({ default: false, description: 'In a thread: do not add mentioned people to it.' }),
      ),
    },
    { description: 'Content is needed unless files are given.' },
  ),
  link_preview: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Show a preview of the first link. Sits beside `message`, not inside it.',
    }),
  ),
})
export type MessageCreateRequest = Static<typeof MessageCreateRequest>

/** File of an edited message; the list replaces the attachments. */
export const MessageFileUpdateInput = Type.Object({
  ...MessageFileInput.properties,
  file_type: Type.Optional(annotated(FileType, { default: 'file' })),
  size: Type.Optional(MessageFileInput.properties.size),
})
export type MessageFileUpdateInput = Static<typeof MessageFileUpdateInput>

/** Only one sort key exists. */
export const MessageSortField = Enum(['id'])
export type MessageSortField = Static<typeof MessageSortField>

/** Edit; only passed fields change. */
export const MessageUpdateRequest = Type.Object({
  message: Type.Object({
    content: Type.Optional(Type.String()),
    files: Type.Optional(Type.Array(MessageFileUpdateInput, { maxItems: 10 })),
    buttons: Type.Optional(annotated(ButtonRows, { description: 'An empty list removes the buttons.' })),
    display_avatar_url: Type.Optional(Type.String({ description: 'Bot tokens only.' })),
    display_name: Type.Optional(Type.String({ description: 'Bot tokens only.' })),
  }),
})
export type MessageUpdateRequest = Static<typeof MessageUpdateRequest>

export const listMessages = operation({
  id: 'listMessages',
  area: 'Messages',
  summary: 'Messages of a chat',
  access: 'Members; any employee for an open chat. Deleted messages are left out.',
  method: 'GET',
  path: '/messages',
  scope: 'messages:read',
  plan: null,
  roles: EVERYONE,
  rate: 'messages-read',
  query: Type.Object({
    chat_id: Type.Integer({ format: 'int32', description: 'Chat id, also of a thread chat.' }),
    sort: Type.Optional(annotated(MessageSortField, { default: 'id', description: 'Sort key.' })),
    order: Type.Optional(annotated(SortOrder, { default: 'desc', description: 'Direction.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(50, 25)),
    page: Type.Optional(PageNumber),
  }),
  returns: { status: 200, body: Page(Message) },
  problems: { 400: [], 404: [], 422: [] },
})

export const createMessage = operation({
  id: 'createMessage',
  area: 'Messages',
  summary: 'Send a message',
  description: 'With entity_type user the personal chat is made when needed.',
  access: 'Whoever may write to the chat; subscribers of a channel only inside its threads.',
  method: 'POST',
  path: '/messages',
  scope: 'messages:create',
  plan: null,
  roles: EVERYONE,
  rate: 'messages-write',
  body: MessageCreateRequest,
  returns: { status: 201, body: Data(Message) },
  problems: {
    400: ['invalid', 'required', 'in'],
    404: ['not_found'],
    422: ['blank', 'too_long', 'wrong_params', 'message_deleted', 'personal_chat', 'invalid'],
    429: ['rate_limit'],
  },
})

export const getMessage = operation({
  id: 'getMessage',
  area: 'Messages',
  summary: 'One message',
  access: 'Whoever may read the chat. A deleted message is sent back emptied, with deleted_at.',
  method: 'GET',
  path: '/messages/{id}',
  scope: 'messages:read',
  plan: null,
  roles: EVERYONE,
  rate: 'messages-read',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(Message) },
  problems: { 404: [] },
})

export const updateMessage = operation({
  id: 'updateMessage',
  area: 'Messages',
  summary: 'Edit a message',
  access: 'Author only.',
  method: 'PUT',
  path: '/messages/{id}',
  scope: 'messages:update',
  plan: null,
  roles: EVERYONE,
  rate: 'messages-write',
  params: Type.Object({ id: Id }),
  body: MessageUpdateRequest,
  returns: { status: 200, body: Data(Message) },
  problems: { 400: [], 404: [], 422: ['blank', 'too_long', 'wrong_params', 'message_deleted'] },
})

export const deleteMessage = operation({
  id: 'deleteMessage',
  area: 'Messages',
  summary: 'Delete a message',
  access: 'Author, chat owner, chat admins and editors; both people in a personal chat.',
  method: 'DELETE',
  path: '/messages/{id}',
  scope: 'messages:delete',
  plan: null,
  roles: EVERYONE,
  rate: 'messages-write',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: [] },
})

export const pinMessage = operation({
  id: 'pinMessage',
  area: 'Messages',
  summary: 'Pin a message',
  access: 'Whoever may write to the chat.',
  method: 'POST',
  path: '/messages/{id}/pin',
  scope: 'pins:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: [], 409: ['already_exists'], 422: ['pin_failed', 'message_deleted'] },
  whileSuspended: true,
})

export const unpinMessage = operation({
  id: 'unpinMessage',
  area: 'Messages',
  summary: 'Unpin a message',
  access: 'Whoever may write to the chat.',
  method: 'DELETE',
  path: '/messages/{id}/pin',
  scope: 'pins:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: [] },
  whileSuspended: true,
})

export const createLinkPreviews = operation({
  id: 'createLinkPreviews',
  area: 'Messages',
  summary: 'Previews for links of a message',
  access: 'Preview bots (trigger_on unfurl) only.',
  method: 'POST',
  path: '/messages/{id}/link_previews',
  scope: 'link_previews:write',
  plan: null,
  roles: BOTS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: LinkPreviewsRequest,
  returns: { status: 204 },
  problems: { 400: [], 404: [], 422: [] },
  whileSuspended: true,
})

export const listReadMemberIds = operation({
  id: 'listReadMemberIds',
  area: 'Read members',
  summary: 'Who has read a message',
  access: 'Whoever may read the chat.',
  method: 'GET',
  path: '/messages/{id}/read_member_ids',
  scope: 'messages:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    limit: Type.Optional(Limit(300)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(300, 300)),
    page: Type.Optional(PageNumber),
  }),
  returns: { status: 200, body: Page(Type.Integer({ format: 'int32' })) },
  problems: { 400: [], 404: [], 422: [] },
})

/** Where a message is forwarded to. */
export const ForwardRequest = Type.Object({
  entity_type: Type.Optional(annotated(MessageEntityType, { default: 'discussion' })),
  entity_id: Id,
})
export type ForwardRequest = Static<typeof ForwardRequest>

export const forwardMessage = operation({
  id: 'forwardMessage',
  area: 'Messages',
  summary: 'Forward a message',
  description: 'A copy with its files, which names where it came from. Not counted for the daily quota.',
  access: 'Whoever may read the message and write where it goes. Not for system and deleted messages.',
  method: 'POST',
  path: '/messages/{id}/forward',
  scope: 'messages:create',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  params: Type.Object({ id: Id }),
  body: ForwardRequest,
  returns: { status: 201, body: Data(Message) },
  problems: { 404: ['not_found'], 422: ['message_deleted', 'personal_chat', 'wrong_params'] },
})

export const markChatRead = operation({
  id: 'markChatRead',
  area: 'Messages',
  summary: 'Move the read pointer of the caller forward',
  access: 'Chats and threads of the caller.',
  method: 'PUT',
  path: '/chats/{id}/read',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  params: Type.Object({ id: Id }),
  body: Type.Object({ message_id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'], 422: ['blank'] },
})

export const listPins = operation({
  id: 'listPins',
  area: 'Messages',
  summary: 'Pinned messages of a chat, latest pin first',
  access: 'Whoever may read the chat.',
  method: 'GET',
  path: '/chats/{id}/pins',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  params: Type.Object({ id: Id }),
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: { status: 200, body: Page(Message) },
  problems: { 404: ['not_found'] },
})

/** How much of a chat the caller has not read. */
export const Unread = Type.Object({
  chat_id: Id,
  thread_id: Nullable(Type.Integer({ format: 'int64' })),
  read_message_id: Type.Integer({ format: 'int64', description: '0 when nothing was read.' }),
  unread_count: Type.Integer({ description: 'Counted up to 100.' }),
  mentioned: Type.Boolean({
    description: 'One of the messages that were counted names the caller, a tag of the caller, or all.',
  }),
})
export type Unread = Static<typeof Unread>

export const listUnread = operation({
  id: 'listUnread',
  area: 'Messages',
  summary: 'Chats and threads with something unread',
  access: 'Chats and threads of the caller, by chat id, newest chat first.',
  method: 'GET',
  path: '/unread',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  query: Type.Object({
    limit: Type.Optional(Limit(300)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(Unread) },
})
