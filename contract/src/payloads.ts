import { type Static, Type } from 'typebox'
import { FormAnswers } from './forms.js'
import { MessageEntityType } from './messages/index.js'
import { annotated, Enum, Id, Nullable, NullableTimestamp, Timestamp } from './shapes.js'

/** A data button was pressed. */
export const ButtonWebhookPayload = Type.Object({
  type: Type.Literal('button'),
  event: Type.Literal('click'),
  message_id: Id,
  trigger_id: Type.String({ description: 'Usable for 3 seconds to open a form.' }),
  data: Type.String(),
  user_id: Id,
  chat_id: Id,
  webhook_timestamp: Type.Integer({ format: 'int32', description: 'UNIX seconds of sending.' }),
})
export type ButtonWebhookPayload = Static<typeof ButtonWebhookPayload>

/** Events of a roster. */
export const ChatMemberEventType = Enum(['add', 'remove'])
export type ChatMemberEventType = Static<typeof ChatMemberEventType>

/** Members of a chat or of a thread changed. */
export const ChatMemberWebhookPayload = Type.Object({
  type: Type.Literal('chat_member'),
  event: ChatMemberEventType,
  chat_id: Id,
  thread_id: Nullable(Id),
  user_ids: Type.Array(Id),
  created_at: Type.String({ format: 'date-time', description: 'Whole seconds here, without a fraction.' }),
  webhook_timestamp: Type.Integer({ format: 'int32', description: 'UNIX seconds of sending.' }),
})
export type ChatMemberWebhookPayload = Static<typeof ChatMemberWebhookPayload>

/** Events of a workspace member. */
export const CompanyMemberEventType = Enum(['invite', 'confirm', 'update', 'suspend', 'activate', 'delete'])
export type CompanyMemberEventType = Static<typeof CompanyMemberEventType>

/** Members of the workspace changed. */
export const CompanyMemberWebhookPayload = Type.Object({
  type: Type.Literal('company_member'),
  event: CompanyMemberEventType,
  user_ids: Type.Array(Id),
  created_at: Type.String({ format: 'date-time', description: 'Whole seconds here, without a fraction.' }),
  webhook_timestamp: Type.Integer({ format: 'int32', description: 'UNIX seconds of sending.' }),
})
export type CompanyMemberWebhookPayload = Static<typeof CompanyMemberWebhookPayload>

/** An ordered export is ready. */
export const ExportReadyWebhookPayload = Type.Object({
  type: Type.Literal('export'),
  event: Type.Literal('ready'),
  export_id: Type.Integer({ format: 'int32', description: 'Goes into the download path.' }),
  created_at: Type.String({ format: 'date-time' }),
  webhook_timestamp: Type.Optional(
    Type.Integer({ format: 'int32', description: 'UNIX seconds of sending.' }),
  ),
})
export type ExportReadyWebhookPayload = Static<typeof ExportReadyWebhookPayload>

/** Link found in a message. */
export const WebhookLink = Type.Object({
  url: Type.String(),
  domain: Type.String(),
  skip: Type.Boolean({ description: 'The author hid the preview; the bot must not make one.' }),
})
export type WebhookLink = Static<typeof WebhookLink>

/** Where the thread of a message hangs. */
export const WebhookMessageThread = Type.Object({
  message_id: Nullable(Id, { description: 'Null for a standalone thread.' }),
  message_chat_id: Nullable(Id, { description: 'Null for a standalone thread.' }),
})
export type WebhookMessageThread = Static<typeof WebhookMessageThread>

/** A link on a watched domain was posted. */
export const LinkSharedWebhookPayload = Type.Object({
  type: Type.Literal('message'),
  event: Type.Literal('link_shared'),
  chat_id: Id,
  message_id: Id,
  links: Type.Array(WebhookLink),
  user_id: Id,
  created_at: Timestamp,
  webhook_timestamp: Type.Integer({ format: 'int32', description: 'UNIX seconds of sending.' }),
  entity_type: MessageEntityType,
  entity_id: Nullable(Id, { description: 'Null in a personal chat.' }),
  thread: Nullable(WebhookMessageThread),
})
export type LinkSharedWebhookPayload = Static<typeof LinkSharedWebhookPayload>

/** Events of a message. */
export const MessageEventType = Enum(['new', 'update', 'delete'])
export type MessageEventType = Static<typeof MessageEventType>

/** Message created, edited or deleted. */
export const MessageWebhookPayload = Type.Object({
  type: Type.Literal('message'),
  id: Id,
  event: MessageEventType,
  entity_type: MessageEntityType,
  entity_id: Id,
  content: Type.String({ description: 'Empty for attachments only.' }),
  user_id: Id,
  created_at: Timestamp,
  changed_at: annotated(NullableTimestamp, { description: 'Equals created_at until the first edit.' }),
  url: Type.String(),
  chat_id: Type.Integer({ format: 'int32', description: 'Inside a thread: the chat of the thread.' }),
  parent_message_id: Nullable(Id),
  thread: Nullable(WebhookMessageThread, {
    description: 'Thread the message is in (not the thread under it); null outside threads.',
  }),
  webhook_timestamp: Type.Integer({ format: 'int32', description: 'UNIX seconds of sending.' }),
})
export type MessageWebhookPayload = Static<typeof MessageWebhookPayload>

/** Events of a reaction. */
export const ReactionEventType = Enum(['new', 'delete'])
export type ReactionEventType = Static<typeof ReactionEventType>

/** Reaction added or removed. `emoji` is the seed name, `code` and `name` the public ones; all three are sent. */
export const ReactionWebhookPayload = Type.Object({
  type: Type.Literal('reaction'),
  event: ReactionEventType,
  chat_id: Nullable(Id, { description: 'Null when the message vanished meanwhile.' }),
  message_id: Id,
  code: Type.String(),
  name: Type.String(),
  user_id: Id,
  created_at: Timestamp,
  webhook_timestamp: Type.Integer({ format: 'int32', description: 'UNIX seconds of sending.' }),
  emoji: Type.String({ description: 'Same character as `code`.' }),
})
export type ReactionWebhookPayload = Static<typeof ReactionWebhookPayload>

/** Events of a video call. */
export const VideoCallEventType = Enum(['started', 'finished', 'recording_ready'])
export type VideoCallEventType = Static<typeof VideoCallEventType>

/** Participant of a call. */
export const WebhookVideoCallMember = Type.Object({
  user_id: Id,
  joined_at: Timestamp,
  left_at: Timestamp,
})
export type WebhookVideoCallMember = Static<typeof WebhookVideoCallMember>

/** Thread of a call. */
export const WebhookVideoCallThread = Type.Object({
  id: Id,
  chat_id: Id,
  message_id: Nullable(Id, { description: 'Null for a standalone thread.' }),
  message_chat_id: Nullable(Id, { description: 'Null for a standalone thread.' }),
})
export type WebhookVideoCallThread = Static<typeof WebhookVideoCallThread>

/** Video call started, finished, or its recording is ready. */
export const VideoCallWebhookPayload = Type.Object({
  type: Type.Literal('video_call'),
  event: VideoCallEventType,
  video_room_id: Id,
  chat_id: Id,
  owner_id: Id,
  thread: Nullable(WebhookVideoCallThread),
  started_at: Type.Optional(Timestamp),
  finished_at: Type.Optional(Timestamp),
  duration: Type.Optional(
    Type.Integer({ format: 'int32', description: 'Seconds, of the call or of the recording.' }),
  ),
  members: Type.Optional(Type.Array(WebhookVideoCallMember)),
  recording_id: Type.Optional(Id),
  file_id: Type.Optional(Nullable(Id, { description: 'Null until the file is attached.' })),
  url: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer({ format: 'int64', description: 'Bytes.' })),
  webhook_timestamp: Type.Integer({ format: 'int32', description: 'UNIX seconds of sending.' }),
})
export type VideoCallWebhookPayload = Static<typeof VideoCallWebhookPayload>

/** A form was sent. `payload` is the seed name, `data` the public one; both are sent. */
export const ViewSubmitWebhookPayload = Type.Object({
  type: Type.Literal('view_submit', {
    description:
      'The word is a setting of the server, PARLEY_VIEW_SUBMIT_TYPE: some clients know only `view`.',
  }),
  event: Type.Literal('submit'),
  callback_id: Nullable(Type.String()),
  private_metadata: Nullable(Type.String()),
  chat_id: Nullable(Id, { description: 'Chat of the button, fixed when the form was opened.' }),
  user_id: Id,
  data: annotated(FormAnswers, { description: 'Answers by field name.' }),
  webhook_timestamp: Type.Integer({ format: 'int32', description: 'UNIX seconds of sending.' }),
  payload: annotated(FormAnswers, { description: 'Answers by field name, same content as `data`.' }),
  view_id: Type.String({ description: 'Form, for an answer by API.' }),
  submit_id: Type.String({ description: 'This attempt, for an answer by API.' }),
})
export type ViewSubmitWebhookPayload = Static<typeof ViewSubmitWebhookPayload>

/** Any payload sent to a bot; `type` and `event` are its discriminators. */
export const WebhookPayloadUnion = Type.Union([
  MessageWebhookPayload,
  ReactionWebhookPayload,
  ButtonWebhookPayload,
  ViewSubmitWebhookPayload,
  ChatMemberWebhookPayload,
  CompanyMemberWebhookPayload,
  LinkSharedWebhookPayload,
  VideoCallWebhookPayload,
])
export type WebhookPayloadUnion = Static<typeof WebhookPayloadUnion>
