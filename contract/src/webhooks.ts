import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { WebhookPayloadUnion } from './payloads.js'
import { BOTS, NO_TOKEN } from './scopes.js'
import { Cursor, Enum, Limit, Page, Timestamp } from './shapes.js'

/** Any JSON object; with a template all fields are at its disposal. */
export const InboundWebhookRequest = Type.Object({
  message: Type.Optional(Type.String({ description: 'Text to post when the bot has no template.' })),
})
export type InboundWebhookRequest = Static<typeof InboundWebhookRequest>

/** Names of events in the queue: every subscribable event, plus the form answer. */
export const QueuedEventType = Enum([
  'message_new',
  'message_update',
  'message_delete',
  'reaction_new',
  'reaction_delete',
  'button_click',
  'message_link_shared',
  'chat_member_add',
  'chat_member_remove',
  'company_member_invite',
  'company_member_confirm',
  'company_member_suspend',
  'company_member_activate',
  'company_member_delete',
  'company_member_update',
  'video_call_started',
  'video_call_finished',
  'video_call_recording_ready',
  'view_submit',
])
export type QueuedEventType = Static<typeof QueuedEventType>

/** Saved delivery in the queue of a bot. */
export const WebhookEvent = Type.Object({
  id: Type.String({ description: 'Opaque text id.' }),
  event_type: QueuedEventType,
  payload: WebhookPayloadUnion,
  created_at: Timestamp,
})
export type WebhookEvent = Static<typeof WebhookEvent>

export const listWebhookEvents = operation({
  id: 'listWebhookEvents',
  area: 'Webhook events',
  summary: 'Queue of a bot, newest first',
  access: 'Own queue of the calling bot; filled only while events_history_enabled is on.',
  method: 'GET',
  path: '/webhooks/events',
  scope: 'webhooks:events:read',
  plan: null,
  roles: BOTS,
  rate: 'events-poll',
  query: Type.Object({
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(WebhookEvent) },
  problems: { 400: [], 422: [] },
})

export const deleteWebhookEvent = operation({
  id: 'deleteWebhookEvent',
  area: 'Webhook events',
  summary: 'Remove a handled event',
  access: 'Bot tokens only, own queue only.',
  method: 'DELETE',
  path: '/webhooks/events/{id}',
  scope: 'webhooks:events:delete',
  plan: null,
  roles: BOTS,
  rate: 'other',
  params: Type.Object({ id: Type.String() }),
  returns: { status: 204 },
  problems: { 404: [] },
})

export const postInboundWebhook = operation({
  id: 'postInboundWebhook',
  area: 'Webhook events',
  summary: 'Post through the inbound webhook of a bot',
  description:
    'Lives at the server root, not under the version segment. The text goes to every conversation and channel of the bot; no way into personal chats or threads. At most 40000 bytes of text; an empty result posts nothing. A broken template posts the template error as the text.',
  access: 'No token; the key is the secret.',
  method: 'POST',
  path: '/webhooks/{webhook_key}',
  root: true,
  scope: null,
  plan: null,
  roles: NO_TOKEN,
  rate: 'inbound-webhook',
  params: Type.Object({ webhook_key: Type.String() }),
  body: InboundWebhookRequest,
  media: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  returns: { status: 200, body: Type.Record(Type.String(), Type.Unknown()) },
  problems: { 400: [], 404: [], 415: [], 429: [] },
})
