import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import { Cursor, Enum, Id, Limit, NullableTimestamp, Page, Timestamp } from './shapes.js'

/** A notice to the caller in the app. */
export const PersonalNotice = Type.Object({
  id: Id,
  kind: Type.String({ description: 'What it is about, such as task.due.' }),
  payload: Type.Object({}, { description: 'What the kind tells: a text, ids.' }),
  created_at: Timestamp,
  read_at: NullableTimestamp,
})
export type PersonalNotice = Static<typeof PersonalNotice>

const mine = {
  area: 'Profile',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
} as const

export const listNotices = operation({
  ...mine,
  id: 'listNotices',
  scope: 'messages:read',
  summary: 'Own notices, newest first',
  description: 'Kept for 90 days.',
  method: 'GET',
  path: '/notices',
  query: Type.Object({
    state: Type.Optional(Enum(['unread'], { description: 'Only those not read yet.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(PersonalNotice) },
})

export const readNotices = operation({
  ...mine,
  id: 'readNotices',
  scope: 'messages:read',
  summary: 'Mark own notices as read, up to one of them',
  method: 'PUT',
  path: '/notices/read',
  body: Type.Object({ notice_id: Id }),
  returns: { status: 204 },
  problems: { 422: ['blank'] },
})
