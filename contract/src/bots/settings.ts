import { type Static, type TOptional, type TProperties, type TUnsafe, Type } from 'typebox'
import { BOT_EVENT_NAMES } from '../event-names.js'
import { annotated, Enum, Nullable, NullableTimestamp } from '../shapes.js'

/** Who besides the creator may edit: workspace admins (and the owner), or owners of chats the bot is in. */
export const BotCanEdit = Enum(['admin', 'chat_owners'])
export type BotCanEdit = Static<typeof BotCanEdit>

/** Events a bot can subscribe to. */
export const BotEventName = Enum(BOT_EVENT_NAMES)
export type BotEventName = Static<typeof BotEventName>

/** Template language of the inbound webhook. */
export const BotTemplateEngine = Enum(['liquid', 'mustache'])
export type BotTemplateEngine = Static<typeof BotTemplateEngine>

/** When new messages are sent to the bot: commands only, all messages, or link previews (for a preview bot). */
export const BotTriggerOn = Enum(['commands', 'all_messages', 'unfurl'])
export type BotTriggerOn = Static<typeof BotTriggerOn>

/** Who may add the bot to chats; the last value makes the bot public. */
export const BotWhoCanAdd = Enum(['creator', 'creator_admin', 'creator_admin_user', 'anyone'])
export type BotWhoCanAdd = Static<typeof BotWhoCanAdd>

const InboundKind = Nullable(Enum(['simple', 'gitlab', 'grafana']), {
  description: 'Source of the inbound webhook; null when it is off.',
})

/** Every setting that callers send, as a change of the bot takes it. */
const Settings = Type.Object({
  name: Type.String({ maxLength: 255 }),
  nickname: Type.String({
    maxLength: 255,
    description: 'Ends in `_bot`; no other account of the workspace may use it.',
  }),
  outgoing_url: Type.String({ description: 'An empty string disables the outgoing webhook.' }),
  events: Type.Array(BotEventName),
  trigger_on: BotTriggerOn,
  commands: Type.Array(Type.String(), {
    description: 'Each starts with `/`; all of them joined with commas must fit in 255 characters.',
  }),
  scopes: Type.Array(Type.String(), {
    description: 'Replaces the whole set. A scope the bot role cannot hold is refused with 400.',
  }),
  template: Type.String(),
  template_engine: BotTemplateEngine,
  challenge_key: Type.String(),
  link_preview_enabled: Type.Boolean(),
  ignore_self_messages: Type.Boolean(),
  events_history_enabled: Type.Boolean(),
  who_can_add: BotWhoCanAdd,
  can_edit: Type.Array(BotCanEdit),
  single_chat: Type.Boolean({ description: 'Accepted and ignored.' }),
  kind: InboundKind,
  unfurl_domains: Type.Array(Type.String(), { maxItems: 5, description: 'Workspace admins only.' }),
})

const { name, ...others } = Settings.properties

/** The same settings for a bot that is not there yet: what holds when one is absent. */
const FirstSettings = Type.Object({
  name,
  ...Type.Partial(
    Type.Object({
      ...others,
      nickname: annotated(others.nickname, {
        description:
          'Ends in `_bot`; no other account of the workspace may use it. When absent the server makes one from the name.',
      }),
      trigger_on: annotated(others.trigger_on, { default: 'commands' }),
      scopes: annotated(others.scopes, {
        description:
          'When absent the bot gets the default set. A scope the bot role cannot hold is refused with 400.',
      }),
      template_engine: annotated(others.template_engine, { default: 'liquid' }),
      link_preview_enabled: annotated(others.link_preview_enabled, { default: true }),
      ignore_self_messages: annotated(others.ignore_self_messages, { default: false }),
      events_history_enabled: annotated(others.events_history_enabled, { default: false }),
      who_can_add: annotated(others.who_can_add, { default: 'creator' }),
      single_chat: Type.Boolean({ default: false, description: 'Can be set only here.' }),
    }),
  ).properties,
})

/** Fields of a request besides the settings. */
const beside = {
  oauth_client: Type.Optional(
    Nullable(
      Type.Object({
        client_id: Type.Optional(
          Nullable(Type.String({ maxLength: 2000 }), {
            description:
              'Ours. The https address of a client id metadata document: the app is known by this address, has no secret, and its redirect addresses are those of the document. Null gives it an id of its own again.',
          }),
        ),
        confidential: Type.Optional(Type.Boolean({ default: true })),
        redirect_uris: Type.Optional(Type.Array(Type.String())),
        scopes: Type.Optional(Type.Array(Type.String())),
      }),
      { description: 'Null turns it off.' },
    ),
  ),
  promo: Type.Optional(
    Nullable(
      Type.Object({
        description: Type.Optional(Type.String()),
        published: Type.Optional(Type.Boolean()),
        promo_images: Type.Optional(Type.Array(Type.String(), { maxItems: 5 })),
      }),
    ),
  ),
}

/** Only the name is required. */
export const BotCreateRequest = Type.Object({
  webhook: FirstSettings,
  ...beside,
  empty: Type.Optional(Type.Boolean({ default: false, description: 'No token and no inbound webhook yet.' })),
})
export type BotCreateRequest = Static<typeof BotCreateRequest>

/** Only passed fields change; a passed `commands` or `scopes` list takes the place of the old one. */
export const BotUpdateRequest = Type.Object({ webhook: Type.Partial(Settings), ...beside })
export type BotUpdateRequest = Static<typeof BotUpdateRequest>

/** The settings as shown to those who may edit the bot, and to nobody else. */
const shown = {
  outgoing_url: Type.String({
    description: 'Address of outgoing webhooks; an empty string when there is none.',
  }),
  events: Type.Array(BotEventName),
  trigger_on: BotTriggerOn,
  commands: Type.Array(Type.String(), {
    description: 'Words that trigger the bot in command mode; each starts with `/`.',
  }),
  scopes: Type.Array(Type.String(), {
    description:
      'Scopes of the bot token. Plain strings: the default set may hold more than can be assigned.',
  }),
  template: Type.String({
    description: 'Message template of the inbound webhook; an empty string when there is none.',
  }),
  template_engine: BotTemplateEngine,
  challenge_key: Type.String({
    description:
      'Field of an inbound body that is echoed back for verification; an empty string when there is none.',
  }),
  link_preview_enabled: Type.Boolean({
    description: 'Link previews in messages posted by the inbound webhook.',
  }),
  ignore_self_messages: Type.Boolean({
    description: 'Skip webhooks about the bot own messages. Button presses are always delivered.',
  }),
  events_history_enabled: Type.Boolean({ description: 'Keep outgoing webhooks in the queue as well.' }),
  single_chat: Type.Boolean({
    description:
      'The bot may belong to one conversation or channel only; personal chats and threads do not count.',
  }),
  can_edit: Type.Array(BotCanEdit, {
    description: 'Who may change the settings besides the creator; empty means the creator only.',
  }),
  who_can_add: BotWhoCanAdd,
}

/** Settings of a bot. */
export const BotWebhook = Type.Object({
  name: Type.String({ maxLength: 255 }),
  nickname: Type.String({ pattern: '_bot$', maxLength: 255 }),
  ...shown,
  kind: Type.Optional(InboundKind),
  unfurl_domains: Type.Optional(Type.Array(Type.String(), { maxItems: 5, description: 'Watched domains.' })),
  last_request_at: Type.Optional(
    annotated(NullableTimestamp, { description: 'Last call of the inbound webhook.' }),
  ),
  last_request: Type.Optional(
    Nullable(Type.Object({}), { description: 'What the inbound webhook received last.' }),
  ),
  inbound_url: Type.Optional(
    Nullable(Type.String(), {
      description: 'Address of the inbound webhook, for those who manage tokens; null while it is off.',
    }),
  ),
  paused_at: Type.Optional(
    annotated(NullableTimestamp, {
      description: 'Since when the outgoing address is paused after failing for too long.',
    }),
  ),
})
export type BotWebhook = Static<typeof BotWebhook>

type Withheld<P extends TProperties> = { [K in keyof P]: TOptional<TUnsafe<Static<P[K]> | null>> }

function withheld<P extends TProperties>(properties: P) {
  const entries = Object.entries(properties).map(([key, schema]) => [key, Type.Optional(Nullable(schema))])
  return Object.fromEntries(entries) as Withheld<P>
}

/** Settings of a bot in the workspace list. For a bot the caller may not edit every setting but name and nickname is null (leaving them out is read the same way). */
export const CompanyBotWebhook = Type.Object({
  name: Type.String({ maxLength: 255 }),
  nickname: Type.String({ maxLength: 255 }),
  ...withheld(shown),
})
export type CompanyBotWebhook = Static<typeof CompanyBotWebhook>
