import { type Static, Type } from 'typebox'
import { FileType } from '../files.js'
import { operation } from '../operation.js'
import { EVERYONE, PEOPLE } from '../scopes.js'
import { annotated, Data, Id } from '../shapes.js'
import { ButtonRows, Message, MessageEntityType } from './message.js'

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
      'x-when-invalid': 'ignore',
      description: 'Required for voice; at most 30 minutes. Read for voice, audio and video alone.',
    }),
  ),
  waveform: Type.Optional(
    Type.String({
      maxLength: 256,
      'x-when-invalid': 'ignore',
      description: 'Required for voice. Read for voice, audio and video alone.',
    }),
  ),
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
      draft_id: Type.Optional(
        Type.Integer({
          format: 'int32',
          description:
            'Own draft that this message was written in; it is deleted with the sending. Addition.',
        }),
      ),
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
    422: ['blank', 'too_long', 'wrong_params', 'not_found', 'message_deleted', 'personal_chat', 'invalid'],
    429: ['rate_limit'],
  },
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
  problems: {
    404: ['not_found'],
    422: ['blank', 'too_long', 'wrong_params', 'not_found', 'message_deleted', 'invalid'],
  },
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
  problems: { 404: ['not_found'] },
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
  addition: true,
  params: Type.Object({ id: Id }),
  body: ForwardRequest,
  returns: { status: 201, body: Data(Message) },
  problems: { 404: ['not_found'], 422: ['message_deleted', 'personal_chat', 'wrong_params', 'not_found'] },
})
