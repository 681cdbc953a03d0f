import { Type } from 'typebox'
import { DraftEntityType } from '../drafts.js'
import { NotificationSettings } from '../notifications.js'
import { Preferences } from '../preferences.js'
import { Id, Nullable, NullableTimestamp, Timestamp } from '../shapes.js'
import { event } from './event.js'

const aboutMembers = Type.Object({ user_ids: Type.Array(Id), created_at: Timestamp })

export const companyMembersInvited = event({
  type: 'company_members.invited',
  summary: 'People were invited to the workspace.',
  audience: 'workspace',
  payload: aboutMembers,
})

export const companyMembersConfirmed = event({
  type: 'company_members.confirmed',
  summary: 'Invited people accepted their invitation.',
  audience: 'workspace',
  payload: aboutMembers,
})

export const companyMembersUpdated = event({
  type: 'company_members.updated',
  summary: 'Profiles, roles or tags of people changed.',
  audience: 'workspace',
  payload: aboutMembers,
})

export const companyMembersSuspended = event({
  type: 'company_members.suspended',
  summary: 'People were suspended.',
  audience: 'workspace',
  payload: aboutMembers,
})

export const companyMembersActivated = event({
  type: 'company_members.activated',
  summary: 'Suspended people were activated again.',
  audience: 'workspace',
  payload: aboutMembers,
})

export const companyMembersDeleted = event({
  type: 'company_members.deleted',
  summary: 'People were deleted.',
  audience: 'workspace',
  payload: aboutMembers,
})

const aboutUser = Type.Object({ user_id: Id })

export const userAvatarChanged = event({
  type: 'user.avatar_changed',
  summary: 'A person or a bot has a new picture, or none.',
  audience: 'workspace',
  payload: aboutUser,
})

export const userStatusChanged = event({
  type: 'user.status_changed',
  summary: 'A person set or cleared their status.',
  audience: 'workspace',
  payload: aboutUser,
})

export const noticeCreated = event({
  type: 'notice.created',
  summary: 'A person got a notice; listNotices has it too.',
  audience: 'person',
  payload: Type.Object({
    user_id: Id,
    kind: Type.String({ description: 'What it is about, such as task.due.' }),
    text: Type.String({ description: 'For people to read.' }),
    bot_id: Type.Optional(Id),
    task_id: Type.Optional(Id),
    export_id: Type.Optional(Id),
    draft_id: Type.Optional(Id),
    approval_id: Type.Optional(Id),
    chat_id: Type.Optional(Nullable(Id)),
    send_at: Type.Optional(NullableTimestamp),
    reason: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
  }),
})

export const noticesRead = event({
  type: 'notices.read',
  summary: 'A person read notices.',
  audience: 'person',
  payload: Type.Object({
    user_id: Id,
    notice_ids: Type.Array(Id, { description: 'Those that were unread before.' }),
    notices_unread: Type.Integer({ description: 'How many are left, counted up to 100.' }),
  }),
})

export const approvalDecided = event({
  type: 'approval.decided',
  summary: 'A person approved or refused a write of a token.',
  audience: 'person',
  payload: Type.Object({ user_id: Id, approval_id: Id, approved: Type.Boolean() }),
})

export const notificationsChanged = event({
  type: 'notifications.changed',
  summary: 'A person changed what they are told of.',
  audience: 'person',
  payload: Type.Object({ user_id: Id, notifications: NotificationSettings }),
})

export const preferencesChanged = event({
  type: 'preferences.changed',
  summary: 'A person changed the settings that their clients share.',
  audience: 'person',
  payload: Type.Object({ user_id: Id, preferences: Preferences }),
})

const aboutDraft = Type.Object({
  user_id: Id,
  draft_id: Id,
  entity_type: DraftEntityType,
  entity_id: Id,
  scheduled: Type.Boolean(),
})

export const draftSaved = event({
  type: 'draft.saved',
  summary: 'A person wrote or changed a draft or a scheduled message.',
  audience: 'person',
  payload: aboutDraft,
})

export const draftDeleted = event({
  type: 'draft.deleted',
  summary: 'A draft or a scheduled message was deleted or sent.',
  audience: 'person',
  payload: aboutDraft,
})
