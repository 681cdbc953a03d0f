import { BOT_EVENT_NAMES } from './event-names.js'
import { referring } from './openapi-schemas.js'
import {
  ButtonWebhookPayload,
  ChatMemberWebhookPayload,
  CompanyMemberWebhookPayload,
  ExportReadyWebhookPayload,
  LinkSharedWebhookPayload,
  MessageWebhookPayload,
  ReactionWebhookPayload,
  VideoCallWebhookPayload,
  ViewSubmitWebhookPayload,
} from './payloads.js'

type Json = Record<string, unknown>

/** By the beginning of the name of an event; the longest that fits counts. */
const PAYLOADS: [string, object, string][] = [
  ['message_link_shared', LinkSharedWebhookPayload, 'A link on a watched domain was posted'],
  ['message_new', MessageWebhookPayload, 'A message was sent'],
  ['message_update', MessageWebhookPayload, 'A message was edited'],
  ['message_delete', MessageWebhookPayload, 'A message was deleted'],
  ['reaction_new', ReactionWebhookPayload, 'A reaction was added'],
  ['reaction_delete', ReactionWebhookPayload, 'A reaction was removed'],
  ['button_click', ButtonWebhookPayload, 'A button was pressed'],
  ['view_submit', ViewSubmitWebhookPayload, 'A form was sent; it needs no subscription'],
  ['chat_member_add', ChatMemberWebhookPayload, 'People came into a chat or a thread'],
  ['chat_member_remove', ChatMemberWebhookPayload, 'People left a chat or a thread'],
  ['company_member', CompanyMemberWebhookPayload, 'Members of the workspace changed'],
  ['video_call', VideoCallWebhookPayload, 'A video call'],
  ['export_ready', ExportReadyWebhookPayload, 'An export is ready; sent to the address of the workspace'],
]

const text = (description: string, name: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

const HEADERS = [
  text('The same in every attempt to deliver the event: handle each id once.', 'webhook-id'),
  text('UNIX seconds of this attempt.', 'webhook-timestamp'),
  text(
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` with the signing secret; several with blanks between them while a secret is being replaced.',
    'webhook-signature',
  ),
  text('Number of the attempt, from 1.', 'Parley-Attempt'),
  text('`true` where events of the chat that came later were delivered before.', 'Parley-Late', false),
]

const ANSWERS: Json = {
  200: { description: 'Any 2xx: the event was taken. Other answers are tried again.' },
}

/** A form is refused by its bot with texts by field name. */
const FORM_ANSWERS: Json = {
  ...ANSWERS,
  400: { description: 'What is wrong with the form: `{"errors": {"field": "text"}}`. It stays open.' },
}

/** Everything that is posted to bots, and the notice of an export, as the `webhooks` of an OpenAPI document. */
export function webhooks(examples: Readonly<Record<string, { request?: unknown }>>): Json {
  const names = [...BOT_EVENT_NAMES, 'view_submit', 'export_ready']
  const entries = names.map((name) => {
    const [, payload, summary] = PAYLOADS.find(([prefix]) => name.startsWith(prefix)) ?? []
    if (!payload) throw new Error(`${name} has no payload`)
    const example = examples[name]?.request
    const shown = example === undefined ? {} : { example }
    const post = {
      operationId: `on_${name}`,
      tags: ['Webhooks'],
      summary,
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: referring(payload), ...shown } },
      },
      responses: name === 'view_submit' ? FORM_ANSWERS : ANSWERS,
    }
    return [name, { post }]
  })
  return Object.fromEntries(entries)
}
