import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { NO_TOKEN, PEOPLE } from './scopes.js'
import { annotated, Data, Enum, Id, Nullable, NullableTimestamp, TimeInput, Timestamp } from './shapes.js'

export const NotificationLevel = Enum(['all', 'mentions', 'nothing'], {
  description: 'Every message; those that name the person or have a keyword; none.',
})
export type NotificationLevel = Static<typeof NotificationLevel>

const TimeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'Such as 22:30.' })

export const QuietHours = Type.Object({
  from: annotated(TimeOfDay, { description: 'First minute without notifications, such as 22:30.' }),
  to: annotated(TimeOfDay, { description: 'First minute with notifications again; may be on the next day.' }),
})
export type QuietHours = Static<typeof QuietHours>

export const MailDigest = Enum(['off', 'hourly', 'daily'], {
  description: 'Mails about unread messages while the person is away: none, or one an hour or a day at most.',
})
export type MailDigest = Static<typeof MailDigest>

/** What a person set for one chat or thread. */
export const ChatNotifications = Type.Object({
  chat_id: annotated(Id, { description: 'The chat; for a thread the chat of its messages.' }),
  level: Nullable(NotificationLevel, { description: 'Null where the general level holds.' }),
  muted_until: annotated(NullableTimestamp, {
    description: 'Nothing is told before; null where it is not muted.',
  }),
})
export type ChatNotifications = Static<typeof ChatNotifications>

const general = {
  level: annotated(NotificationLevel, {
    description:
      'For conversations and channels. Personal chats and followed threads are told whole, unless this is `nothing`.',
  }),
  keywords: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 50,
    description: 'Words that count like the own name, whole and in any case.',
  }),
  quiet_hours: Nullable(QuietHours, { description: 'In the time zone of the person; null for none.' }),
  sound: Type.Boolean({ description: 'Notifications make a sound.' }),
  mail_digest: annotated(MailDigest, { description: 'Mails about unread messages while away.' }),
  mail_language: Nullable(Enum(['en', 'ru']), {
    description:
      'Language of mails to a person whose preferences name none (`locale`); English where this is null too.',
  }),
}

/** What a person is told of, and how. */
export const NotificationSettings = Type.Object({
  ...general,
  chats: Type.Array(ChatNotifications, { description: 'Chats and threads with settings of their own.' }),
})
export type NotificationSettings = Static<typeof NotificationSettings>

export const NotificationSettingsUpdate = Type.Partial(Type.Object(general))
export type NotificationSettingsUpdate = Static<typeof NotificationSettingsUpdate>

/** A browser that gets Web Push. */
export const PushSubscription = Type.Object({
  id: Id,
  device: Nullable(Type.String(), { description: 'Browser and system, such as `Firefox on Linux`.' }),
  push_service: Type.String({ description: 'Host of the push service of that browser.' }),
  created_at: Timestamp,
  last_sent_at: annotated(NullableTimestamp, { description: 'When the push service last accepted a push.' }),
  current: Type.Boolean({ description: 'It belongs to the session that asks.' }),
})
export type PushSubscription = Static<typeof PushSubscription>

/** What the push service answered to a trial. */
export const PushTrial = Type.Object({
  nonce: Type.String({ description: 'The push carries it; the service worker passes it on to the page.' }),
  status: Nullable(Type.Integer(), {
    description: 'HTTP status of the push service; null where it was not reached.',
  }),
  accepted: Type.Boolean({ description: 'The push service took it.' }),
  error: Nullable(Type.String(), { description: 'Why the push service was not reached.' }),
})
export type PushTrial = Static<typeof PushTrial>

const mine = { area: 'Profile', plan: null, roles: PEOPLE, rate: 'other', addition: true } as const
const device = { ...mine, area: 'Sessions', scope: null, sessionOnly: true } as const

export const getNotificationSettings = operation({
  ...mine,
  id: 'getNotificationSettings',
  scope: 'profile:read',
  confined: false,
  summary: 'Own notification settings',
  method: 'GET',
  path: '/profile/notifications',
  returns: { status: 200, body: Data(NotificationSettings) },
})

export const updateNotificationSettings = operation({
  ...mine,
  id: 'updateNotificationSettings',
  scope: 'profile_status:write',
  confined: false,
  summary: 'Change the own notification settings',
  description: 'Only passed fields change. The other devices of the caller hear `notifications.changed`.',
  method: 'PUT',
  path: '/profile/notifications',
  body: Type.Object({ notifications: NotificationSettingsUpdate }),
  returns: { status: 200, body: Data(NotificationSettings) },
  problems: { 422: ['blank', 'invalid', 'too_long'] },
})

export const setChatNotifications = operation({
  ...mine,
  id: 'setChatNotifications',
  scope: 'profile_status:write',
  confined: false,
  summary: 'Set what the caller is told of in a chat or thread',
  description: 'Both fields null put the chat back under the general settings.',
  access: 'Members of the chat.',
  method: 'PUT',
  path: '/chats/{id}/notifications',
  params: Type.Object({ id: Id }),
  body: Type.Object({
    level: Nullable(NotificationLevel, { description: 'Null where the general level holds.' }),
    muted_until: Nullable(TimeInput, { description: 'Nothing is told before; null where it is not muted.' }),
  }),
  returns: { status: 200, body: Data(ChatNotifications) },
  problems: { 404: ['not_found'], 422: ['blank', 'invalid'] },
})

export const getPushKey = operation({
  ...device,
  id: 'getPushKey',
  summary: 'Public key of the server for Web Push',
  description: '`applicationServerKey` of a subscription (VAPID, RFC 8292).',
  method: 'GET',
  path: '/profile/push/key',
  returns: {
    status: 200,
    body: Data(Type.Object({ public_key: Type.String({ description: 'P-256, base64url.' }) })),
  },
})

export const listPushSubscriptions = operation({
  ...device,
  id: 'listPushSubscriptions',
  summary: 'Own browsers that get Web Push',
  method: 'GET',
  path: '/profile/push',
  returns: { status: 200, body: Data(Type.Array(PushSubscription)) },
})

export const addPushSubscription = operation({
  ...device,
  id: 'addPushSubscription',
  summary: 'Let this browser get Web Push',
  description:
    'The body is what `PushSubscription.toJSON()` gives. It ends with the session, or when the push service says that it is gone. A session has one; a second one takes its place.',
  method: 'POST',
  path: '/profile/push',
  body: Type.Object({
    subscription: Type.Object({
      endpoint: Type.String({ maxLength: 2048, description: 'Address at the push service.' }),
      keys: Type.Object({
        p256dh: Type.String({ maxLength: 128, description: 'Public key of the browser, base64url.' }),
        auth: Type.String({ maxLength: 64, description: 'Secret that the browser shares, base64url.' }),
      }),
    }),
  }),
  returns: { status: 201, body: Data(PushSubscription) },
  problems: { 422: ['blank', 'invalid', 'too_long'] },
})

export const removePushSubscription = operation({
  ...device,
  id: 'removePushSubscription',
  summary: 'End Web Push for one of the own browsers',
  method: 'DELETE',
  path: '/profile/push/{id}',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const sendTestPush = operation({
  ...device,
  id: 'sendTestPush',
  summary: 'Send a push to one of the own browsers, and say what became of it',
  dryRun: false,
  method: 'POST',
  path: '/profile/push/{id}/test',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(PushTrial) },
  problems: { 404: ['not_found'] },
})

export const stopMailDigest = operation({
  id: 'stopMailDigest',
  area: 'Profile',
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'sign-in',
  addition: true,
  summary: 'End mail digests by the link of one',
  description:
    'One-click unsubscribing (RFC 8058): mail programs post to the address of the `List-Unsubscribe` header.',
  method: 'POST',
  path: '/mail_digests/{token}/stop',
  params: Type.Object({ token: Type.String() }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})
