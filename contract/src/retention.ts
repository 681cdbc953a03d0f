import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { OWNER } from './scopes.js'
import { Data, Id, Nullable, Timestamp } from './shapes.js'

function Days(description: string) {
  return Nullable(Type.Integer({ minimum: 1, maximum: 36_500 }), { description })
}

/** How long messages are kept, by the kind of their chat. Comments are kept as long as the chat they hang in. */
export const RetentionDays = Type.Object({
  conversation: Days('Days that messages are kept; null keeps them for ever.'),
  channel: Days('Days that messages are kept; null keeps them for ever.'),
  personal: Days('Days that messages are kept; null keeps them for ever.'),
  thread: Days('The same for threads that hang in no chat.'),
})
export type RetentionDays = Static<typeof RetentionDays>

/** One change of the setting: who made it, when, and what holds since. */
export const RetentionChange = Type.Object({
  user_id: Id,
  created_at: Timestamp,
  days: RetentionDays,
})
export type RetentionChange = Static<typeof RetentionChange>

/** The setting that holds, and the changes that led to it, newest first. */
export const Retention = Type.Object({ days: RetentionDays, changes: Type.Array(RetentionChange) })
export type Retention = Static<typeof Retention>

/** Only passed kinds change. */
export const RetentionUpdateRequest = Type.Object({ days: Type.Partial(RetentionDays) })
export type RetentionUpdateRequest = Static<typeof RetentionUpdateRequest>

export const getRetention = operation({
  id: 'getRetention',
  area: 'Security',
  summary: 'How long messages are kept, and who set that',
  access: 'Workspace owner only.',
  method: 'GET',
  path: '/company/retention',
  scope: null,
  plan: null,
  roles: OWNER,
  rate: 'other',
  returns: { status: 200, body: Data(Retention) },
  sessionOnly: true,
  addition: true,
})

export const updateRetention = operation({
  id: 'updateRetention',
  area: 'Security',
  summary: 'Set how long messages are kept',
  description: 'Older messages are removed for good in the background.',
  access: 'Workspace owner only.',
  method: 'PUT',
  path: '/company/retention',
  scope: null,
  plan: null,
  roles: OWNER,
  rate: 'other',
  body: RetentionUpdateRequest,
  returns: { status: 200, body: Data(Retention) },
  problems: { 422: ['invalid'] },
  sessionOnly: true,
  addition: true,
})

/** Messages that would be removed, by the kind of their chat. */
export const RetentionPreview = Type.Object({
  messages: Type.Object(
    {
      conversation: Type.Integer({ description: 'Messages in conversations.' }),
      channel: Type.Integer({ description: 'Messages in channels.' }),
      personal: Type.Integer({ description: 'Messages in personal chats.' }),
      thread: Type.Integer({ description: 'Messages in threads that hang in no chat.' }),
    },
    { description: 'Messages that are older than the setting keeps them.' },
  ),
})
export type RetentionPreview = Static<typeof RetentionPreview>

export const previewRetention = operation({
  id: 'previewRetention',
  area: 'Security',
  summary: 'How many messages a setting would remove now',
  access: 'Workspace owner only.',
  method: 'POST',
  path: '/company/retention/preview',
  scope: null,
  plan: null,
  roles: OWNER,
  rate: 'other',
  body: Type.Object({ days: RetentionDays }),
  returns: { status: 200, body: Data(RetentionPreview) },
  problems: { 422: ['invalid'] },
  sessionOnly: true,
  addition: true,
})
