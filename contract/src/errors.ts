import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable } from './shapes.js'

/** Every code of an API error, with the text people read. Clients branch on the code alone. */
export const ERROR_MESSAGES = {
  blank: 'must not be empty',
  too_long: 'is too long',
  invalid: 'is invalid',
  inclusion: 'is not one of the allowed values',
  exclusion: 'is reserved',
  taken: 'is given twice',
  wrong_emoji: 'must be exactly one emoji',
  not_found: 'was not found',
  already_exists: 'already exists',
  personal_chat: 'is not possible in this personal chat',
  displayed_error: 'cannot be done',
  not_authorized: 'You are not allowed to do this',
  invalid_date_range: 'is not a valid period',
  invalid_webhook_url: 'is not an acceptable webhook address',
  rate_limit: 'Too many requests, try again later',
  licenses_limit: 'No licences are left',
  user_limit: 'You have reached your limit of different reactions on this message',
  unique_limit: 'This message has reached its limit of different reactions',
  general_limit: 'This message has reached its limit of reactions',
  unhandled: 'The server failed: tell its operator the X-Request-Id of this answer',
  trigger_not_found: 'The trigger is unknown or was used already',
  trigger_expired: 'The trigger has expired: a form is opened within 3 seconds of the press',
  required: 'is required',
  in: 'is not one of the allowed values',
  not_applicable: 'does not apply here',
  self_update: 'cannot be done to yourself: ask another admin',
  owner_protected: 'cannot be done to the owner',
  already_assigned: 'is the role of this member already',
  next_send_at_invalid: 'is not a valid time of sending',
  schedule_invalid: 'is not a valid schedule',
  schedule_end_date_invalid: 'is not a valid end of a schedule',
  scheduled_messages_limit: 'This chat has reached its limit of scheduled messages',
  draft_type_change_forbidden: 'A scheduled message cannot become a plain draft; delete it instead',
  confidential_download_denied: 'This file cannot be downloaded this way',
  decryption_failed: 'cannot be decrypted',
  bot_add_denied: 'These bots may not be added by you: who_can_add of the bot says who may',
  single_chat_bot_occupied:
    'These bots are for one chat at a time and are in another: remove them there first',
  single_chat_bot_tag_denied: 'A bot of one chat cannot have tags',
  bot_changed_concurrently:
    'The bot was changed by somebody else meanwhile: read it again and repeat the change',
  timeout: 'No answer in time',
  forbidden: 'Forbidden',
  permission_denied: 'Permission denied',
  access_denied: 'Access denied',
  wrong_params: 'has wrong parameters',
  payment_required: 'The workspace is suspended: ask its owner',
  min_length: 'is too short',
  max_length: 'is too long',
  use_of_system_words: 'is a reserved word',
  export_file_not_found: 'The archive is not there: it is not ready yet, or its time is over',
  cannot_kick_owner: 'The creator of a chat cannot be removed',
  pin_failed: 'cannot be pinned',
  message_deleted: 'The message was deleted and takes no more changes',
  thread_message: 'The message is in a thread, and threads have no threads',
  view_not_found: 'The form was not found: it was closed, answered, or opened for somebody else',
  submit_expired: 'The answer came too late: nobody waits for it any more',
  service_unavailable: 'The service is unavailable, try again later',
} as const

export type ErrorCode = keyof typeof ERROR_MESSAGES
export const ERROR_CODES = Object.keys(ERROR_MESSAGES) as ErrorCode[]
export const ErrorCode = Enum(ERROR_CODES)

export const ErrorPayload = Nullable(
  Type.Union([
    Type.Object({ id: Id }, { additionalProperties: false, description: 'The custom property at fault.' }),
    Type.Object(
      { record: Type.Object({ type: Type.String(), id: Id }), query: Type.String() },
      { additionalProperties: false, description: 'The record and the refused action.' },
    ),
    Type.Object({ draft_id: Id }, { additionalProperties: false, description: 'The draft that is there.' }),
  ]),
)
export type ErrorPayload = Static<typeof ErrorPayload>

export const ApiErrorItem = Type.Object({
  key: Type.String({ description: 'Field at fault; `base` when it is no field.' }),
  value: Nullable(Type.String(), {
    description: 'Offending value as text. Several ids are comma-separated.',
  }),
  message: Type.String({ description: 'Text for people.' }),
  code: ErrorCode,
  payload: ErrorPayload,
})
export type ApiErrorItem = Static<typeof ApiErrorItem>

/** Why a request was refused. New members and new rules may come: read what is known, ignore the rest. */
export const Explanation = Type.Object(
  {
    rule: Type.String({ description: 'The rule, from the list of the reference.' }),
    needs: Type.Object({}, { additionalProperties: true, description: 'What would have to be true.' }),
    has: Type.Object(
      {},
      { additionalProperties: true, description: 'What is true of the caller and the input.' },
    ),
    remedy: Type.String({ description: 'Who or what can change the outcome.' }),
    with: Type.Object({}, { additionalProperties: true, description: 'What the remedy is about.' }),
    doc: Type.String({ description: 'Where the rule is told, on this server.' }),
  },
  { description: 'Of the first error.' },
)
export type Explanation = Static<typeof Explanation>

export const ApiError = Type.Object({
  errors: Type.Array(ApiErrorItem, { minItems: 1 }),
  explanation: Type.Optional(Explanation),
})
export type ApiError = Static<typeof ApiError>

/** Every 401, a 403 caused by the token itself, and refusals of the sign-in operations. */
export const OAuthError = Type.Object({
  error: Type.String(),
  error_description: Type.String(),
  explanation: Type.Optional(Explanation),
})
export type OAuthError = Static<typeof OAuthError>
