import { type Static, Type } from 'typebox'
import { Draft, DraftCreateRequest, DraftScheduleInput } from './drafts.js'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import { Data, Timestamp } from './shapes.js'

const { entity_type, entity_id, content, parent_message_id, files } =
  DraftCreateRequest.properties.draft.properties

/** The content of the input field of a place. */
export const DraftPlaceRequest = Type.Object({
  draft: Type.Object({ entity_type, entity_id, content, parent_message_id, files }),
})
export type DraftPlaceRequest = Static<typeof DraftPlaceRequest>

/** A schedule to try. */
export const SchedulePreviewRequest = Type.Object({ schedule: DraftScheduleInput })
export type SchedulePreviewRequest = Static<typeof SchedulePreviewRequest>

const own = {
  area: 'Drafts',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
} as const

export const putDraftAt = operation({
  ...own,
  id: 'putDraftAt',
  scope: 'drafts:write',
  summary: 'Save what stands in the input field of a chat',
  description:
    'Makes the plain draft of the place or replaces it whole. Without text and files the draft is deleted, and `data` is null.',
  access: 'Whoever may write to the chat.',
  method: 'PUT',
  path: '/drafts/at',
  body: DraftPlaceRequest,
  returns: { status: 200, body: Type.Object({ data: Type.Union([Draft, Type.Null()]) }) },
  problems: {
    404: ['not_found'],
    422: ['too_long', 'wrong_params', 'message_deleted', 'personal_chat', 'not_found'],
  },
})

export const previewSchedule = operation({
  ...own,
  id: 'previewSchedule',
  scope: 'drafts:read',
  summary: 'When a schedule would send',
  method: 'POST',
  path: '/drafts/preview_schedule',
  body: SchedulePreviewRequest,
  returns: {
    status: 200,
    body: Data(Type.Array(Timestamp, { description: 'The next five times, fewer when it ends before.' })),
  },
  problems: { 422: ['blank', 'next_send_at_invalid', 'schedule_invalid', 'schedule_end_date_invalid'] },
})
