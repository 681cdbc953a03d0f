import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { BOTS, PEOPLE } from './scopes.js'
import { Data, Id, Nullable, Timestamp } from './shapes.js'

/** File in an answer of a file field. */
export const ViewSubmitFile = Type.Object({
  name: Type.String(),
  size: Type.Integer({ format: 'int32', description: 'Bytes.' }),
  url: Type.String({ description: 'Valid for two hours.' }),
})
export type ViewSubmitFile = Static<typeof ViewSubmitFile>

/** Answers by field name: text, choice value, date or HH:mm as a string; choices of a checkbox group as a list of strings; files as a list of files; null when left empty. */
export const FormAnswers = Type.Record(
  Type.String(),
  Nullable(Type.Union([Type.String(), Type.Array(Type.String()), Type.Array(ViewSubmitFile)])),
)
export type FormAnswers = Static<typeof FormAnswers>

/** Choice of a checkbox group. */
export const ViewBlockCheckboxOption = Type.Object({
  text: Type.String({ maxLength: 75 }),
  value: Type.String({ maxLength: 255 }),
  description: Type.Optional(Type.String({ maxLength: 75 })),
  checked: Type.Optional(Type.Boolean()),
})
export type ViewBlockCheckboxOption = Static<typeof ViewBlockCheckboxOption>

/** Any choices of several. */
export const ViewBlockCheckbox = Type.Object({
  type: Type.Literal('checkbox'),
  name: Type.String({ maxLength: 255 }),
  label: Type.String({ maxLength: 150 }),
  options: Type.Optional(Type.Array(ViewBlockCheckboxOption, { maxItems: 20 })),
  required: Type.Optional(Type.Boolean({ default: false })),
  hint: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type ViewBlockCheckbox = Static<typeof ViewBlockCheckbox>

/** Date field. */
export const ViewBlockDate = Type.Object({
  type: Type.Literal('date'),
  name: Type.String({ maxLength: 255 }),
  label: Type.String({ maxLength: 150 }),
  initial_date: Type.Optional(Type.String({ format: 'date' })),
  required: Type.Optional(Type.Boolean({ default: false })),
  hint: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type ViewBlockDate = Static<typeof ViewBlockDate>

/** Line. */
export const ViewBlockDivider = Type.Object({
  type: Type.Literal('divider'),
})
export type ViewBlockDivider = Static<typeof ViewBlockDivider>

/** File field. */
export const ViewBlockFileInput = Type.Object({
  type: Type.Literal('file_input'),
  name: Type.String({ maxLength: 255 }),
  label: Type.String({ maxLength: 150 }),
  filetypes: Type.Optional(
    Type.Array(Type.String(), { description: 'Allowed extensions; absent allows any.' }),
  ),
  max_files: Type.Optional(Type.Integer({ format: 'int32', minimum: 1, maximum: 10, default: 10 })),
  required: Type.Optional(Type.Boolean({ default: false })),
  hint: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type ViewBlockFileInput = Static<typeof ViewBlockFileInput>

/** Heading. */
export const ViewBlockHeader = Type.Object({
  type: Type.Literal('header'),
  text: Type.String({ maxLength: 150 }),
})
export type ViewBlockHeader = Static<typeof ViewBlockHeader>

/** Text field. */
export const ViewBlockInput = Type.Object({
  type: Type.Literal('input'),
  name: Type.String({ maxLength: 255 }),
  label: Type.String({ maxLength: 150 }),
  placeholder: Type.Optional(Type.String({ maxLength: 150 })),
  multiline: Type.Optional(Type.Boolean({ default: false })),
  initial_value: Type.Optional(Type.String({ maxLength: 3000 })),
  min_length: Type.Optional(Type.Integer({ format: 'int32', minimum: 0, maximum: 3000 })),
  max_length: Type.Optional(Type.Integer({ format: 'int32', minimum: 1, maximum: 3000 })),
  required: Type.Optional(Type.Boolean({ default: false })),
  hint: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type ViewBlockInput = Static<typeof ViewBlockInput>

/** Formatted text. */
export const ViewBlockMarkdown = Type.Object({
  type: Type.Literal('markdown'),
  text: Type.String({ maxLength: 12000 }),
})
export type ViewBlockMarkdown = Static<typeof ViewBlockMarkdown>

/** Text. */
export const ViewBlockPlainText = Type.Object({
  type: Type.Literal('plain_text'),
  text: Type.String({ maxLength: 12000 }),
})
export type ViewBlockPlainText = Static<typeof ViewBlockPlainText>

/** Choice of a radio group. */
export const ViewBlockSelectableOption = Type.Object({
  text: Type.String({ maxLength: 75 }),
  value: Type.String({ maxLength: 255 }),
  description: Type.Optional(Type.String({ maxLength: 75 })),
  selected: Type.Optional(Type.Boolean()),
  checked: Type.Optional(
    Type.Boolean({ description: 'Chosen at first; the name the later edition and a client use.' }),
  ),
})
export type ViewBlockSelectableOption = Static<typeof ViewBlockSelectableOption>

/** One choice of several. */
export const ViewBlockRadio = Type.Object({
  type: Type.Literal('radio'),
  name: Type.String({ maxLength: 255 }),
  label: Type.String({ maxLength: 150 }),
  options: Type.Optional(Type.Array(ViewBlockSelectableOption, { maxItems: 20 })),
  required: Type.Optional(Type.Boolean({ default: false })),
  hint: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type ViewBlockRadio = Static<typeof ViewBlockRadio>

/** Choice of a drop-down list; it has no description line. */
export const ViewBlockSelectOption = Type.Object({
  text: Type.String({ maxLength: 75 }),
  value: Type.String({ maxLength: 255 }),
  selected: Type.Optional(Type.Boolean()),
})
export type ViewBlockSelectOption = Static<typeof ViewBlockSelectOption>

/** Drop-down list. */
export const ViewBlockSelect = Type.Object({
  type: Type.Literal('select'),
  name: Type.String({ maxLength: 255 }),
  label: Type.String({ maxLength: 150 }),
  options: Type.Optional(Type.Array(ViewBlockSelectOption, { maxItems: 100 })),
  required: Type.Optional(Type.Boolean({ default: false })),
  hint: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type ViewBlockSelect = Static<typeof ViewBlockSelect>

/** Time field. */
export const ViewBlockTime = Type.Object({
  type: Type.Literal('time'),
  name: Type.String({ maxLength: 255 }),
  label: Type.String({ maxLength: 150 }),
  initial_time: Type.Optional(
    Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$',
      description: 'HH:mm; HH:mm:ss is accepted and the seconds are dropped.',
    }),
  ),
  required: Type.Optional(Type.Boolean({ default: false })),
  hint: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type ViewBlockTime = Static<typeof ViewBlockTime>

/** Any block of a form. */
export const ViewBlockUnion = Type.Union([
  ViewBlockHeader,
  ViewBlockPlainText,
  ViewBlockMarkdown,
  ViewBlockDivider,
  ViewBlockInput,
  ViewBlockSelect,
  ViewBlockRadio,
  ViewBlockCheckbox,
  ViewBlockDate,
  ViewBlockTime,
  ViewBlockFileInput,
])
export type ViewBlockUnion = Static<typeof ViewBlockUnion>

/** Modal form to open. */
export const OpenViewRequest = Type.Object({
  type: Type.Literal('modal'),
  trigger_id: Type.String({ description: 'From a button event; usable for 3 seconds.' }),
  private_metadata: Type.Optional(Type.String({ maxLength: 3000, description: 'Returned with the answer.' })),
  callback_id: Type.Optional(Type.String({ maxLength: 255, description: 'Returned with the answer.' })),
  view: Type.Object({
    title: Type.String({ maxLength: 24 }),
    close_text: Type.Optional(Type.String({ maxLength: 24, default: 'Cancel' })),
    submit_text: Type.Optional(Type.String({ maxLength: 24, default: 'Submit' })),
    blocks: Type.Array(ViewBlockUnion, { maxItems: 100 }),
  }),
})
export type OpenViewRequest = Static<typeof OpenViewRequest>

/** What a bot answers with status 400 to refuse a form answer. A 200 closes the form. */
export const ViewErrorsResponse = Type.Object({
  errors: Type.Record(Type.String(), Type.String({ maxLength: 2000 }), {
    description: 'Text under a field, by field name.',
  }),
})
export type ViewErrorsResponse = Static<typeof ViewErrorsResponse>

/** The answer was taken. */
export const ViewSubmitResponse = Type.Object({
  success: Type.Literal(true),
})
export type ViewSubmitResponse = Static<typeof ViewSubmitResponse>

/** Answer to a form without an outgoing webhook. */
export const ViewSubmitResponseRequest = Type.Object({
  submit_id: Type.String({ description: 'From the form event.' }),
  errors: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 2000 }), {
      description: 'Text by field name; absent or empty closes the form.',
    }),
  ),
})
export type ViewSubmitResponseRequest = Static<typeof ViewSubmitResponseRequest>

export const openView = operation({
  id: 'openView',
  dryRun: false,
  area: 'Views',
  summary: 'Open a form',
  access: 'Bot tokens only; the trigger must be of a button in a message of this bot.',
  method: 'POST',
  path: '/views/open',
  scope: 'views:write',
  plan: null,
  roles: BOTS,
  rate: 'other',
  body: OpenViewRequest,
  returns: { status: 201 },
  problems: {
    410: ['trigger_not_found', 'trigger_expired'],
    422: ['blank', 'too_long', 'invalid', 'taken'],
  },
})

export const answerViewSubmit = operation({
  id: 'answerViewSubmit',
  dryRun: false,
  area: 'Views',
  summary: 'Answer a form without an outgoing webhook',
  description: 'The body is the bare object, without a `data` envelope.',
  access: 'The bot that opened the form, within 5 seconds, once.',
  method: 'POST',
  path: '/views/{view_id}/submit_response',
  scope: 'views:write',
  plan: null,
  roles: BOTS,
  rate: 'other',
  params: Type.Object({ view_id: Type.String() }),
  body: ViewSubmitResponseRequest,
  returns: { status: 200, body: ViewSubmitResponse },
  problems: {
    404: ['view_not_found'],
    410: ['submit_expired'],
    422: ['blank'],
    503: ['service_unavailable'],
  },
})

/** A form as the person in front of it sees it. */
export const View = Type.Object({
  id: Type.String(),
  bot_id: Id,
  chat_id: Id,
  title: Type.String(),
  close_text: Type.String(),
  submit_text: Type.String(),
  blocks: Type.Array(ViewBlockUnion),
  opened_at: Timestamp,
  expires_at: Timestamp,
})
export type View = Static<typeof View>

const byPeople = {
  area: 'Views',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
} as const

export const pressButton = operation({
  ...byPeople,
  id: 'pressButton',
  confined: false,
  dryRun: false,
  scope: 'messages:create',
  summary: 'Press a button of a message',
  description: 'The bot that sent the message hears of it at once, with a trigger that opens a form.',
  access: 'Whoever may read the message.',
  method: 'POST',
  path: '/messages/{id}/press',
  params: Type.Object({ id: Id }),
  body: Type.Object({
    row: Type.Integer({ minimum: 0, description: 'Counted from 0.' }),
    column: Type.Integer({ minimum: 0, description: 'Counted from 0.' }),
  }),
  returns: { status: 200, body: Data(Type.Object({ trigger_id: Type.String() })) },
  problems: {
    404: ['not_found', 'message_deleted'],
    422: ['not_found', 'not_applicable', 'displayed_error'],
  },
})

export const listViews = operation({
  ...byPeople,
  id: 'listViews',
  scope: 'messages:read',
  summary: 'Forms that are open for the caller',
  description: 'Newest first, fifty at most; a form stays open for 24 hours.',
  method: 'GET',
  path: '/views',
  returns: { status: 200, body: Data(Type.Array(View)) },
})

export const submitView = operation({
  ...byPeople,
  id: 'submitView',
  confined: false,
  dryRun: false,
  scope: 'messages:create',
  summary: 'Send a form',
  description:
    'Answers by field name; of a file field a list of `{key, name}` of uploads. What the bot finds wrong comes back as 422, by field name.',
  access: 'The person for whom the form was opened.',
  method: 'POST',
  path: '/views/{id}/submit',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ data: Type.Record(Type.String(), Type.Unknown()) }),
  returns: { status: 200, body: Data(Type.Object({ status: Type.Literal('accepted') })) },
  problems: {
    404: ['view_not_found'],
    410: ['submit_expired'],
    422: [
      'displayed_error',
      'blank',
      'invalid',
      'min_length',
      'max_length',
      'too_long',
      'not_found',
      'wrong_params',
    ],
    504: ['timeout'],
  },
})

export const closeView = operation({
  ...byPeople,
  id: 'closeView',
  scope: 'messages:create',
  summary: 'Close a form without an answer',
  description: 'The bot is not told.',
  access: 'The person for whom the form was opened.',
  method: 'DELETE',
  path: '/views/{id}',
  params: Type.Object({ id: Type.String() }),
  returns: { status: 204 },
  problems: { 404: ['view_not_found'] },
})
