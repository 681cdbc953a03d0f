import { type Static, Type } from 'typebox'
import { File, FileType } from './files.js'
import { VoiceContent } from './messages/index.js'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
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
  TimeInput,
  Timestamp,
} from './shapes.js'

/** Where the draft will be sent. */
export const DraftEntityType = Enum(['discussion', 'thread', 'user'])
export type DraftEntityType = Static<typeof DraftEntityType>

/** How often a scheduled message repeats. */
export const ScheduleInterval = Enum([
  'once',
  'daily',
  'weekly',
  'monthly',
  'every_2_months',
  'every_3_months',
  'every_4_months',
  'every_6_months',
  'yearly',
])
export type ScheduleInterval = Static<typeof ScheduleInterval>

/** Repeat rule as sent back: `days` only for weekly, `nth_day` only for monthly and every N months (yearly goes by date). */
export const ScheduleRepetition = Type.Object({
  interval: ScheduleInterval,
  days: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'Weekdays, 0 is Sunday; only for weekly.',
    }),
  ),
  nth_day: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 5 }), {
      description:
        'Weekday of the month by count, 5 is the last; null repeats on the day of month of start_date.',
    }),
  ),
})
export type ScheduleRepetition = Static<typeof ScheduleRepetition>

/** Schedule of a deferred message. */
export const DraftSchedule = Type.Object({
  start_date: annotated(Timestamp, {
    description: 'First send; later repeats take time of day, weekday and day of month from it.',
  }),
  end_date: annotated(NullableTimestamp, { description: 'No repeats after it; null means endless.' }),
  utc_offset: Type.String({
    description:
      'Offset that start_date was given with, such as +03:00. Weekday, day of month and time of day are read at it.',
  }),
  time_zone: Nullable(Type.String(), {
    description: 'IANA name. If set, weekday, day of month and time of day are read in this zone instead.',
  }),
  repetition: ScheduleRepetition,
})
export type DraftSchedule = Static<typeof DraftSchedule>

/** Unsent message; with a schedule it is a deferred message. */
export const Draft = Type.Object({
  id: Id,
  entity_type: DraftEntityType,
  entity_id: Nullable(Id, { description: 'Id of what entity_type names.' }),
  chat_id: Nullable(Id, {
    description: 'Null while no personal chat exists yet; a thread draft points at the chat of the thread.',
  }),
  content: Type.String({ description: 'Empty string for attachments only.' }),
  parent_message_id: Nullable(Id, { description: 'Message to reply to.' }),
  files: Type.Array(File),
  voice_content: Nullable(VoiceContent),
  schedule: Nullable(DraftSchedule, { description: 'Null for a plain draft.' }),
  next_send_at: annotated(NullableTimestamp, { description: 'Null for a plain draft.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Draft = Static<typeof Draft>

/** File of a draft. */
export const DraftFileInput = Type.Object({
  id: Type.Optional(
    Type.Integer({ format: 'int32', description: 'Only for a file that is attached already.' }),
  ),
  key: Type.String({ maxLength: 1000, description: 'Path from the upload.' }),
  name: Type.String({ maxLength: 255, description: 'Display name.' }),
  file_type: Type.Optional(FileType),
  size: Type.Optional(Type.Integer({ format: 'int64', description: 'Bytes, shown to people.' })),
  width: Type.Optional(Type.Integer({ format: 'int32', description: 'Image pixels.' })),
  height: Type.Optional(Type.Integer({ format: 'int32', description: 'Image pixels.' })),
  duration_ms: Type.Optional(
    Type.Integer({
      format: 'int32',
      'x-when-invalid': 'ignore',
      description: 'Required for voice. Read for voice, audio and video alone.',
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
export type DraftFileInput = Static<typeof DraftFileInput>

/** Repeat rule. */
export const ScheduleRepetitionInput = Type.Object({
  interval: ScheduleInterval,
  days: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), {
      maxItems: 7,
      description: 'Used only for weekly; defaults to the weekday of start_date.',
    }),
  ),
  nth_day: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 5 }), {
      description: 'Used only for month-based intervals.',
    }),
  ),
})
export type ScheduleRepetitionInput = Static<typeof ScheduleRepetitionInput>

/** Schedule. */
export const DraftScheduleInput = Type.Object({
  start_date: TimeInput,
  end_date: Type.Optional(Nullable(TimeInput, { description: 'Stops repeats.' })),
  utc_offset: Type.Optional(
    Nullable(Type.String(), {
      description:
        'Offset to read the schedule at where start_date is in UTC, so that an answer can be sent back as it is.',
    }),
  ),
  time_zone: Type.Optional(
    Nullable(Type.String(), {
      description:
        'IANA name. The time of day then stays the same over daylight saving: a time that the clocks skip is moved forward, one that they show twice happens once.',
    }),
  ),
  repetition: ScheduleRepetitionInput,
})
export type DraftScheduleInput = Static<typeof DraftScheduleInput>

/** New draft or scheduled message. Text or at least one file is needed. */
export const DraftCreateRequest = Type.Object({
  draft: Type.Object({
    entity_type: DraftEntityType,
    entity_id: Type.Integer({ format: 'int32', description: 'Chat, thread or user, as entity_type says.' }),
    content: Type.Optional(Type.String({ description: 'Draft text.' })),
    parent_message_id: Type.Optional(Nullable(Id, { description: 'Message to reply to.' })),
    files: Type.Optional(Type.Array(DraftFileInput, { maxItems: 10, description: 'Attachments.' })),
    schedule: Type.Optional(
      Type.Union([DraftScheduleInput, Type.Null()], {
        description: 'Absent or null makes a plain draft; one plain draft per chat and caller.',
      }),
    ),
  }),
})
export type DraftCreateRequest = Static<typeof DraftCreateRequest>

/** Plain drafts, scheduled messages, or both. */
export const DraftTypeFilter = Enum(['regular', 'scheduled', 'all'])
export type DraftTypeFilter = Static<typeof DraftTypeFilter>

/** Only passed fields change. The chat of a draft cannot be changed. */
export const DraftUpdateRequest = Type.Object({
  draft: Type.Object({
    content: Type.Optional(Type.String({ description: 'Draft text.' })),
    parent_message_id: Type.Optional(Nullable(Id, { description: 'Null removes the reply link.' })),
    files: Type.Optional(
      Type.Array(DraftFileInput, {
        maxItems: 10,
        description: 'Replaces the whole set; an empty list removes all; absent keeps them.',
      }),
    ),
    schedule: Type.Optional(
      Type.Union([DraftScheduleInput, Type.Null()], {
        description:
          'Makes a plain draft a scheduled one, or replaces the schedule. Null is refused for a scheduled draft with 422 draft_type_change_forbidden.',
      }),
    ),
  }),
})
export type DraftUpdateRequest = Static<typeof DraftUpdateRequest>

export const listDrafts = operation({
  id: 'listDrafts',
  area: 'Drafts',
  summary: 'Own drafts and scheduled messages, newest first',
  access: 'Own drafts only. Personal tokens only.',
  method: 'GET',
  path: '/drafts',
  scope: 'drafts:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  query: Type.Object({
    type: Type.Optional(annotated(DraftTypeFilter, { default: 'regular', description: 'What to list.' })),
    entity_type: Type.Optional(
      annotated(DraftEntityType, {
        description: 'Together with entity_id narrows to one place; one of them alone gives 422.',
      }),
    ),
    entity_id: Type.Optional(
      Type.Integer({
        format: 'int32',
        description: 'Goes with entity_type. An unknown or closed place gives an empty list.',
      }),
    ),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(Draft) },
  problems: { 422: ['blank'] },
})

export const createDraft = operation({
  id: 'createDraft',
  area: 'Drafts',
  summary: 'New draft or scheduled message',
  description: 'At most 50 scheduled messages per chat and caller.',
  access: 'Whoever may write to the chat. Personal tokens only.',
  method: 'POST',
  path: '/drafts',
  scope: 'drafts:write',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  body: DraftCreateRequest,
  returns: { status: 201, body: Data(Draft) },
  problems: {
    404: ['not_found'],
    409: ['already_exists'],
    422: [
      'blank',
      'too_long',
      'wrong_params',
      'next_send_at_invalid',
      'schedule_invalid',
      'schedule_end_date_invalid',
      'scheduled_messages_limit',
      'message_deleted',
      'not_found',
    ],
  },
})

export const getDraft = operation({
  id: 'getDraft',
  area: 'Drafts',
  summary: 'One draft',
  access: 'Own drafts only; a foreign one gives 404.',
  method: 'GET',
  path: '/drafts/{id}',
  scope: 'drafts:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(Draft) },
  problems: { 404: ['not_found'] },
})

export const updateDraft = operation({
  id: 'updateDraft',
  area: 'Drafts',
  summary: 'Change a draft',
  access: 'Own drafts, while the chat may be written to.',
  method: 'PUT',
  path: '/drafts/{id}',
  scope: 'drafts:write',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: DraftUpdateRequest,
  returns: { status: 200, body: Data(Draft) },
  problems: {
    404: ['not_found'],
    422: [
      'draft_type_change_forbidden',
      'next_send_at_invalid',
      'schedule_invalid',
      'schedule_end_date_invalid',
      'scheduled_messages_limit',
      'blank',
      'too_long',
      'wrong_params',
      'message_deleted',
      'not_found',
    ],
  },
})

export const deleteDraft = operation({
  id: 'deleteDraft',
  area: 'Drafts',
  summary: 'Delete a draft, cancel its sending',
  access: 'Own drafts, also when the chat was lost.',
  method: 'DELETE',
  path: '/drafts/{id}',
  scope: 'drafts:write',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})
