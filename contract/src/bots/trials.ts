import { type Static, Type } from 'typebox'
import { OpenViewRequest } from '../forms.js'
import { ButtonRows, Message } from '../messages/index.js'
import { operation } from '../operation.js'
import { EMPLOYEES } from '../scopes.js'
import { Cursor, Data, Id, Limit, Nullable, Page } from '../shapes.js'
import { BotTemplateEngine } from './settings.js'

const trial = {
  area: 'Bots',
  method: 'POST',
  scope: 'bots:write',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  params: Type.Object({ id: Id }),
  addition: true,
} as const

export const sendSampleMessage = operation({
  ...trial,
  id: 'sendSampleMessage',
  confined: false,
  summary: 'The bot sends a message to the caller',
  description:
    'Into the personal chat of the caller with the bot, as the bot would send it: its buttons work, and the bot hears of presses.',
  access: 'Creator; workspace admin when can_edit holds `admin`. A chat owner gets 403.',
  path: '/bots/{id}/samples/message',
  body: Type.Object({
    message: Type.Object({
      content: Type.String({ description: 'Text of the message.' }),
      buttons: Type.Optional(ButtonRows),
    }),
  }),
  returns: { status: 201, body: Data(Message) },
  problems: { 404: ['not_found'], 422: ['blank', 'too_long', 'invalid', 'personal_chat'] },
})

export const openSampleForm = operation({
  ...trial,
  id: 'openSampleForm',
  confined: false,
  summary: 'The bot opens a form for the caller',
  description:
    'Without a trigger, in the personal chat of the caller with the bot. The bot gets what the caller sends.',
  access: 'Creator; workspace admin when can_edit holds `admin`. A chat owner gets 403.',
  path: '/bots/{id}/samples/form',
  body: Type.Object({
    callback_id: OpenViewRequest.properties.callback_id,
    private_metadata: OpenViewRequest.properties.private_metadata,
    view: OpenViewRequest.properties.view,
  }),
  returns: { status: 201 },
  problems: { 404: ['not_found'], 422: ['blank', 'too_long', 'invalid', 'taken', 'personal_chat'] },
})

/** What a template makes of a body: a text, or why it makes none. */
export const TemplateTrial = Type.Object({
  text: Nullable(Type.String(), { description: 'The text that would be posted; null when there is none.' }),
  error: Nullable(Type.String(), { description: 'What is wrong with the template; null when nothing is.' }),
})
export type TemplateTrial = Static<typeof TemplateTrial>

export const tryTemplate = operation({
  ...trial,
  id: 'tryTemplate',
  summary: 'Try a template of the inbound webhook on a body',
  description: 'Posts nothing and keeps nothing.',
  access: 'Whoever may edit the bot.',
  path: '/bots/{id}/webhook/try_template',
  body: Type.Object({
    template: Type.String({ maxLength: 40_000 }),
    template_engine: BotTemplateEngine,
    body: Type.Record(Type.String(), Type.Unknown(), { description: 'What a sender would post.' }),
  }),
  returns: { status: 200, body: Data(TemplateTrial) },
  problems: { 404: ['not_found'] },
})

/** A bot in the catalogue. */
export const PublishedBot = Type.Object({
  id: Type.Integer({ format: 'int32', description: 'Equals the user id of the bot.' }),
  name: Type.String(),
  nickname: Type.String(),
  avatar_url: Nullable(Type.String()),
  description: Type.String({ description: 'What the bot is for, by its creator.' }),
  promo_images: Type.Array(Type.String(), { description: 'Addresses of pictures.' }),
  commands: Type.Array(Type.String(), { description: 'Words that trigger the bot.' }),
})
export type PublishedBot = Static<typeof PublishedBot>

export const listPublishedBots = operation({
  id: 'listPublishedBots',
  area: 'Bots',
  summary: 'The catalogue: bots whose page is published',
  method: 'GET',
  path: '/bot_catalogue',
  scope: 'bots:read',
  plan: null,
  roles: EMPLOYEES,
  rate: 'other',
  query: Type.Object({
    query: Type.Optional(Type.String({ description: 'Part of the name.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(PublishedBot) },
  addition: true,
})
