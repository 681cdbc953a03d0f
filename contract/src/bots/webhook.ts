import { type Static, Type } from 'typebox'
import { operation } from '../operation.js'
import { BOTS, EMPLOYEES } from '../scopes.js'
import { Data, Id } from '../shapes.js'
import { BotResponse } from './bots.js'

/** An empty address disables the webhook. */
export const BotWebhookSelfUpdateRequest = Type.Object({
  webhook: Type.Object({
    outgoing_url: Type.String(),
  }),
})
export type BotWebhookSelfUpdateRequest = Static<typeof BotWebhookSelfUpdateRequest>

export const setOwnWebhook = operation({
  id: 'setOwnWebhook',
  area: 'Bots',
  summary: 'A bot sets its own outgoing webhook',
  access: 'Bot tokens only.',
  method: 'PUT',
  path: '/bot/webhook',
  scope: 'bot_self:webhook:write',
  plan: null,
  roles: BOTS,
  rate: 'other',
  body: BotWebhookSelfUpdateRequest,
  returns: { status: 200, body: Data(BotResponse) },
  problems: { 422: ['invalid_webhook_url'] },
})

export const rotateSigningSecret = operation({
  id: 'rotateSigningSecret',
  area: 'Bots',
  summary: 'New signing secret for the webhooks of a bot',
  description:
    'The next attempt is signed with it already. For `grace_s` seconds `webhook-signature` holds a signature of the old secret as well, after that of the new one; the other signature headers use the new secret at once.',
  access: 'Creator; workspace admin when can_edit holds `admin`.',
  method: 'POST',
  path: '/bots/{id}/webhook/rotate_secret',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: Type.Object({
    grace_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        default: 86_400,
        description: 'How long the old secret stays valid; 0 ends it at once.',
      }),
    ),
  }),
  bodyOptional: true,
  returns: { status: 200, body: Data(BotResponse) },
  problems: { 404: ['not_found'], 422: ['invalid'] },
  addition: true,
})

export const rotateInboundUrl = operation({
  id: 'rotateInboundUrl',
  area: 'Bots',
  summary: 'New address for the inbound webhook of a bot',
  description: 'The old address answers 404 from then on. Refused while the inbound webhook is off.',
  access: 'Creator; workspace admin when can_edit holds `admin`.',
  method: 'POST',
  path: '/bots/{id}/webhook/rotate_inbound_url',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  confined: false,
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(BotResponse) },
  problems: { 404: ['not_found'], 422: ['not_applicable'] },
  addition: true,
})

export const resumeWebhook = operation({
  id: 'resumeWebhook',
  area: 'Bots',
  summary: 'Send what waits for a paused address',
  description: 'Everything that waits is due at once, in order; the count of failures starts again.',
  access: 'Whoever may edit the bot.',
  method: 'POST',
  path: '/bots/{id}/webhook/resume',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  addition: true,
})
