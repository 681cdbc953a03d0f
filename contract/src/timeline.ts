import { type Static, Type } from 'typebox'
import { File } from './files.js'
import { Message } from './messages/index.js'
import { operation } from './operation.js'
import { PersonCard } from './people.js'
import { ShownLinkPreview } from './previews.js'
import { PEOPLE } from './scopes.js'
import { annotated, Enum, Id, Limit, Nullable, NullableTimestamp, TimeInput } from './shapes.js'

const BigId = Type.Integer({ format: 'int64' })

/** All reactions of a message with one emoji. */
export const ReactionGroup = Type.Object({
  code: Type.String(),
  name: Nullable(Type.String(), { description: 'Name of a custom emoji.' }),
  count: Type.Integer(),
  mine: Type.Boolean(),
  user_ids: Type.Array(Id, { description: 'The first ten.' }),
})
export type ReactionGroup = Static<typeof ReactionGroup>

/** The message that another one answers. */
export const QuotedMessage = Type.Object({
  id: Id,
  user_id: Id,
  content: Type.String({ description: 'At most 300 characters; empty when deleted.' }),
  files_count: Type.Integer(),
  deleted: Type.Boolean(),
})
export type QuotedMessage = Static<typeof QuotedMessage>

/** The thread under a message, as the caller sees it. */
export const ThreadSummary = Type.Object({
  id: BigId,
  chat_id: BigId,
  replies_count: Type.Integer(),
  last_reply_at: NullableTimestamp,
  last_replier_ids: Type.Array(Id, { description: 'Latest first, three at most.' }),
  following: Type.Boolean({ description: 'The caller is in the thread.' }),
  unread_count: Type.Integer({ description: '0 for a thread that the caller does not follow.' }),
})
export type ThreadSummary = Static<typeof ThreadSummary>

/** The content of a system message. */
export const SystemEventKind = Enum([
  'chat_renamed',
  'chat_opened',
  'chat_closed',
  'chat_archived',
  'chat_unarchived',
  'member_joined',
  'members_added',
  'member_removed',
  'member_left',
  'tag_bound',
  'tag_unbound',
])
export type SystemEventKind = Static<typeof SystemEventKind>

/** A system line as data; clients put it into words. */
export const SystemEvent = Type.Object({
  kind: SystemEventKind,
  actor_id: Id,
  user_ids: Type.Array(Id, { description: 'Whom it concerns, ten at most.' }),
  users_count: Type.Integer({ description: 'How many it concerns.' }),
  name: Nullable(Type.String(), { description: 'New name of the chat, or name of the tag.' }),
})
export type SystemEvent = Static<typeof SystemEvent>

/** A file as a timeline shows it. */
export const TimelineFile = Type.Object({
  ...File.properties,
  preview_url: Nullable(Type.String(), { description: 'A smaller picture; null where there is none.' }),
})
export type TimelineFile = Static<typeof TimelineFile>

/** A message with everything that a timeline shows of it, as the caller sees it. */
export const TimelineMessage = Type.Object({
  ...Message.properties,
  files: Type.Array(TimelineFile),
  thread: Nullable(ThreadSummary),
  reactions: Type.Array(ReactionGroup, { description: 'In the order of their first use.' }),
  link_previews: Type.Array(ShownLinkPreview),
  pinned: Type.Boolean(),
  mentioned: Type.Boolean({ description: 'It names the caller, a tag of the caller, or all.' }),
  quoted: Nullable(QuotedMessage, { description: 'The message that `parent_message_id` names.' }),
  system_event: Nullable(SystemEvent, {
    description: 'Of a system line; null for lines older than this field, of which `content` is all.',
  }),
  edited: Type.Boolean(),
})
export type TimelineMessage = Static<typeof TimelineMessage>

export const TimelineMeta = Type.Object({
  has_older: Type.Boolean(),
  has_newer: Type.Boolean(),
  anchor_id: Nullable(BigId, {
    description:
      'The message that was asked for: of `around` itself or the nearest one, of `at` the first not earlier, of `first_unread` the first unread one. Null when there is none.',
  }),
})
export type TimelineMeta = Static<typeof TimelineMeta>

export const listTimeline = operation({
  id: 'listTimeline',
  area: 'Messages',
  summary: 'Messages of a chat as a client shows them',
  description:
    'Oldest first. Without a place: the newest messages. At most one of `around`, `before`, `after`, `at` and `first_unread` is given. Deleted messages come emptied, with `deleted_at`.',
  access: 'Members; any employee for an open chat.',
  method: 'GET',
  path: '/chats/{id}/timeline',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  params: Type.Object({ id: Id }),
  query: Type.Object({
    around: Type.Optional(annotated(Id, { description: 'Message with as many on either side.' })),
    before: Type.Optional(annotated(Id, { description: 'Messages older than this one.' })),
    after: Type.Optional(annotated(Id, { description: 'Messages newer than this one.' })),
    at: Type.Optional(
      annotated(TimeInput, { description: 'Around the first message not earlier than this.' }),
    ),
    first_unread: Type.Optional(
      Type.Boolean({
        description: 'Around the first message after the read pointer; the newest when all is read.',
      }),
    ),
    limit: Type.Optional(annotated(Limit(100), { default: 50 })),
  }),
  returns: {
    status: 200,
    body: Type.Object({
      data: Type.Array(TimelineMessage),
      people: Type.Array(PersonCard, {
        description: 'Authors, repliers, reactors and whom system lines name.',
      }),
      meta: TimelineMeta,
    }),
  },
  problems: { 400: ['invalid'], 404: ['not_found'] },
})
