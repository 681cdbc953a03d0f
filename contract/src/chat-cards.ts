import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import { annotated, Data, Enum, Id, Nullable, Timestamp } from './shapes.js'

/** What a person may do in a chat. */
export const ChatAct = Enum([
  'write',
  'pin',
  'start_thread',
  'delete_messages',
  'edit',
  'archive',
  'unarchive',
  'add_members',
  'remove_members',
  'set_roles',
  'bind_tags',
  'unbind_tags',
  'leave',
])
export type ChatAct = Static<typeof ChatAct>

/** The newest message of a chat, cut for a list. */
export const LastMessage = Type.Object({
  id: Id,
  user_id: Id,
  content: Type.String({ description: 'At most 200 characters.' }),
  files_count: Type.Integer(),
  system: Type.Boolean(),
})
export type LastMessage = Static<typeof LastMessage>

/** A chat as the caller sees it: what the caller is in it, what the caller may do, how much is unread. */
export const ChatCard = Type.Object({
  id: Id,
  kind: Enum(['conversation', 'channel', 'personal', 'thread']),
  name: Type.String({ description: 'Of a personal chat the name of the other side.' }),
  description: Nullable(Type.String(), { description: 'What the chat is for. At most 200 characters.' }),
  public: Type.Boolean(),
  archived: Type.Boolean(),
  owner_id: Id,
  personal_user_id: Nullable(Id, { description: 'The other side of a personal chat.' }),
  my_role: Nullable(Enum(['owner', 'admin', 'editor', 'member']), {
    description: 'Null in an open chat that the caller is not in.',
  }),
  may: Type.Array(ChatAct, { description: 'What the caller may do here.' }),
  members_count: Type.Integer(),
  group_tag_ids: Type.Array(Id),
  last_message_at: annotated(Timestamp, { description: 'For a chat without messages: the creation time.' }),
  last_message_id: Nullable(Type.Integer({ format: 'int64' }), {
    description: 'Newest message that counts as unread for others; the counters below are true up to it.',
  }),
  last_message: Nullable(LastMessage, { description: 'Null in an empty chat and when it was deleted.' }),
  read_message_id: Nullable(Type.Integer({ format: 'int64' }), {
    description: 'The read pointer; 0 when nothing was read, null where the caller is no member.',
  }),
  unread_count: Type.Integer({ description: 'Messages of people and bots after the read pointer.' }),
  mention_count: Type.Integer({
    description: 'Those of them that name the caller, a tag of the caller, or all. Counted up to 100.',
  }),
  meet_room_url: Type.String(),
})
export type ChatCard = Static<typeof ChatCard>

export const getChatCard = operation({
  id: 'getChatCard',
  area: 'Chats',
  summary: 'A chat as the caller sees it',
  access: 'Whoever may read the chat.',
  method: 'GET',
  path: '/chats/{id}/card',
  scope: 'chats:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(ChatCard) },
  problems: { 404: ['not_found'] },
})
