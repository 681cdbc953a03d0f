import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { OWNER } from './scopes.js'
import { annotated, Cursor, Data, Enum, Id, Limit, Nullable, Page, TimeInput, Timestamp } from './shapes.js'

/** Old and new value of one setting. */
export const AuditChange = Type.Object({
  previous: Type.Unknown(),
  new: Type.Unknown(),
})
export type AuditChange = Static<typeof AuditChange>

/** Details of bot_deleted, bot_token_recreated, bot_token_created, bot_token_updated, bot_token_reissued. */
export const AuditDetailsBot = Type.Object({
  bot_id: Id,
  actor_id: Nullable(Id),
})
export type AuditDetailsBot = Static<typeof AuditDetailsBot>

/** Details of bot_oauth_client_updated. */
export const AuditDetailsBotOAuthClient = Type.Object({
  bot_id: Type.Integer({ format: 'int32', description: 'Bot.' }),
  actor_id: Nullable(Id, { description: 'Who acted; null without an initiator.' }),
  client_id: Type.String(),
  changes: Type.Record(Type.String(), AuditChange, {
    description: 'Changed settings by name; known names: confidential, redirect_uris, scopes.',
  }),
})
export type AuditDetailsBotOAuthClient = Static<typeof AuditDetailsBotOAuthClient>

/** Details of bot_oauth_client_disabled. */
export const AuditDetailsBotOAuthClientDisabled = Type.Object({
  bot_id: Type.Integer({ format: 'int32', description: 'Bot.' }),
  actor_id: Nullable(Id, { description: 'Who acted; null without an initiator.' }),
  client_id: Type.String(),
  deleted_access_tokens_count: Type.Integer({ format: 'int32' }),
  deleted_access_grants_count: Type.Integer({ format: 'int32' }),
})
export type AuditDetailsBotOAuthClientDisabled = Static<typeof AuditDetailsBotOAuthClientDisabled>

/** Details of bot_oauth_client_secret_rotated. */
export const AuditDetailsBotOAuthClientSecret = Type.Object({
  bot_id: Type.Integer({ format: 'int32', description: 'Bot.' }),
  actor_id: Nullable(Id, { description: 'Who acted; null without an initiator.' }),
  client_id: Type.String(),
})
export type AuditDetailsBotOAuthClientSecret = Static<typeof AuditDetailsBotOAuthClientSecret>

/** Details of bot_scopes_updated. */
export const AuditDetailsBotScopes = Type.Object({
  bot_id: Type.Integer({ format: 'int32', description: 'Bot.' }),
  actor_id: Nullable(Id, { description: 'Who acted; null without an initiator.' }),
  added_scopes: Type.Array(Type.String()),
  removed_scopes: Type.Array(Type.String()),
})
export type AuditDetailsBotScopes = Static<typeof AuditDetailsBotScopes>

/** Details of bot_webhook_settings_updated. */
export const AuditDetailsBotWebhookSettings = Type.Object({
  bot_id: Type.Integer({ format: 'int32', description: 'Bot.' }),
  actor_id: Nullable(Id, { description: 'Who acted; null without an initiator.' }),
  changes: Type.Record(Type.String(), AuditChange, {
    description:
      'Changed settings by name; known names: outgoing_url, ignore_self_messages, events_history_enabled.',
  }),
})
export type AuditDetailsBotWebhookSettings = Static<typeof AuditDetailsBotWebhookSettings>

/** Details of tag_removed_from_chat. */
export const AuditDetailsChatId = Type.Object({
  chat_id: Id,
})
export type AuditDetailsChatId = Static<typeof AuditDetailsChatId>

/** Details of chat_permission_changed. */
export const AuditDetailsChatPermission = Type.Object({
  public_access: Type.Boolean(),
})
export type AuditDetailsChatPermission = Static<typeof AuditDetailsChatPermission>

/** Details of chat_renamed. */
export const AuditDetailsChatRenamed = Type.Object({
  old_name: Type.String(),
  new_name: Type.String(),
})
export type AuditDetailsChatRenamed = Static<typeof AuditDetailsChatRenamed>

/** Details of oauth_device_authorization_approved, oauth_device_authorization_denied. */
export const AuditDetailsDeviceAuthorization = Type.Object({
  client_id: Type.String(),
  scopes: Type.Array(Type.String()),
})
export type AuditDetailsDeviceAuthorization = Static<typeof AuditDetailsDeviceAuthorization>

/** Details of dlp_violation_detected. */
export const AuditDetailsDlp = Type.Object({
  dlp_rule_id: Id,
  dlp_rule_name: Type.String(),
  message_id: Id,
  chat_id: Id,
  user_id: Id,
  action_message: Nullable(Type.String()),
  conditions_matched: Type.Boolean(),
})
export type AuditDetailsDlp = Static<typeof AuditDetailsDlp>

/** Details of user_login, user_logout, user_2fa_fail, user_2fa_success, user_created, user_deleted, chat_created, message_updated, message_deleted, message_created, reaction_created, reaction_deleted, thread_created, audit_events_accessed, company_chats_accessed, user_2fa_disabled, company_bots_accessed, exchange_disabled. */
export const AuditDetailsEmpty = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 0 })
export type AuditDetailsEmpty = Static<typeof AuditDetailsEmpty>

/** Details of user_added_to_tag, user_removed_from_tag, user_chat_leave. */
export const AuditDetailsInitiator = Type.Object({
  initiator_id: Id,
})
export type AuditDetailsInitiator = Static<typeof AuditDetailsInitiator>

/** Details of user_chat_join. */
export const AuditDetailsInviter = Type.Object({
  inviter_id: Id,
})
export type AuditDetailsInviter = Static<typeof AuditDetailsInviter>

/** Details of kms_encrypt, kms_decrypt. */
export const AuditDetailsKms = Type.Object({
  chat_id: Id,
  message_id: Id,
  reason: Type.String(),
})
export type AuditDetailsKms = Static<typeof AuditDetailsKms>

/** Details of oauth_authorization_granted. */
export const AuditDetailsOAuthAuthorizationGranted = Type.Object({
  client_id: Type.String(),
  scopes: Type.Array(Type.String()),
})
export type AuditDetailsOAuthAuthorizationGranted = Static<typeof AuditDetailsOAuthAuthorizationGranted>

/** Details of oauth_authorization_revoked. */
export const AuditDetailsOAuthAuthorizationRevoked = Type.Object({
  client_id: Type.String(),
  revoked_tokens_count: Type.Integer({ format: 'int32' }),
})
export type AuditDetailsOAuthAuthorizationRevoked = Static<typeof AuditDetailsOAuthAuthorizationRevoked>

/** Details of user_role_changed. */
export const AuditDetailsRoleChanged = Type.Object({
  new_company_role: Type.String(),
  previous_company_role: Type.String(),
  initiator_id: Id,
})
export type AuditDetailsRoleChanged = Static<typeof AuditDetailsRoleChanged>

/** Details of search_users_api, search_chats_api, search_messages_api. */
export const AuditDetailsSearch = Type.Object({
  search_type: Type.String({ description: 'Not fixed by the sources; use users, chats, messages.' }),
  query_present: Type.Boolean(),
  cursor_present: Type.Boolean(),
  limit: Type.Integer({ format: 'int32' }),
  filters: Type.Record(Type.String(), Type.Unknown()),
})
export type AuditDetailsSearch = Static<typeof AuditDetailsSearch>

/** Details of tag_added_to_chat. */
export const AuditDetailsTagChat = Type.Object({
  chat_id: Id,
  tag_name: Type.String(),
})
export type AuditDetailsTagChat = Static<typeof AuditDetailsTagChat>

/** Details of tag_created, tag_deleted. */
export const AuditDetailsTagName = Type.Object({
  name: Type.String(),
})
export type AuditDetailsTagName = Static<typeof AuditDetailsTagName>

/** Details of access_token_created, access_token_updated, access_token_destroy. */
export const AuditDetailsTokenScopes = Type.Object({
  scopes: Type.Array(Type.String()),
})
export type AuditDetailsTokenScopes = Static<typeof AuditDetailsTokenScopes>

/** Details of user_updated. */
export const AuditDetailsUserUpdated = Type.Object({
  changed_attrs: Type.Array(Type.String()),
  context: Type.Optional(
    Type.Literal('sso_login', { description: 'Present when sign-in by SSO changed the profile.' }),
  ),
})
export type AuditDetailsUserUpdated = Static<typeof AuditDetailsUserUpdated>

/** Details of video_call_finished. */
export const AuditDetailsVideoCallFinished = Type.Object({
  chat_id: Id,
  started_message_id: Nullable(Id),
  duration: Type.Integer({ format: 'int32' }),
  max_members_count: Type.Integer({ format: 'int32' }),
})
export type AuditDetailsVideoCallFinished = Static<typeof AuditDetailsVideoCallFinished>

/** Details of video_call_recording_ready. */
export const AuditDetailsVideoCallRecording = Type.Object({
  chat_id: Id,
  started_message_id: Nullable(Id),
  recording_id: Id,
  file_id: Id,
  duration: Type.Integer({ format: 'int32' }),
  size: Type.Integer({ format: 'int64' }),
})
export type AuditDetailsVideoCallRecording = Static<typeof AuditDetailsVideoCallRecording>

/** Details of video_call_started. */
export const AuditDetailsVideoCallStarted = Type.Object({
  chat_id: Id,
  started_message_id: Nullable(Id),
})
export type AuditDetailsVideoCallStarted = Static<typeof AuditDetailsVideoCallStarted>

/** Kind of audit event. */
export const AuditEventKey = Enum([
  'user_login',
  'user_logout',
  'user_2fa_fail',
  'user_2fa_success',
  'user_2fa_disabled',
  'user_created',
  'user_deleted',
  'user_role_changed',
  'user_updated',
  'tag_created',
  'tag_deleted',
  'user_added_to_tag',
  'user_removed_from_tag',
  'chat_created',
  'chat_renamed',
  'chat_permission_changed',
  'user_chat_join',
  'user_chat_leave',
  'tag_added_to_chat',
  'tag_removed_from_chat',
  'message_updated',
  'message_deleted',
  'message_created',
  'reaction_created',
  'reaction_deleted',
  'thread_created',
  'access_token_created',
  'access_token_updated',
  'access_token_destroy',
  'kms_encrypt',
  'kms_decrypt',
  'audit_events_accessed',
  'company_chats_accessed',
  'company_bots_accessed',
  'dlp_violation_detected',
  'search_users_api',
  'search_chats_api',
  'search_messages_api',
  'bot_scopes_updated',
  'bot_webhook_settings_updated',
  'bot_token_recreated',
  'bot_deleted',
  'bot_oauth_client_updated',
  'bot_oauth_client_disabled',
  'bot_oauth_client_secret_rotated',
  'bot_token_created',
  'bot_token_updated',
  'bot_token_reissued',
  'oauth_authorization_granted',
  'oauth_authorization_revoked',
  'oauth_device_authorization_approved',
  'oauth_device_authorization_denied',
  'video_call_started',
  'video_call_finished',
  'video_call_recording_ready',
  'exchange_disabled',
  'identity_provider_created',
  'identity_provider_updated',
  'identity_provider_deleted',
  'user_identity_linked',
  'user_identity_unlinked',
  'password_sign_in_changed',
  'scim_token_created',
  'scim_token_deleted',
])
export type AuditEventKey = Static<typeof AuditEventKey>

/** One record of the audit log. */
export const AuditEvent = Type.Object({
  id: Type.String({ format: 'uuid' }),
  created_at: Timestamp,
  event_key: AuditEventKey,
  entity_id: Type.String({ description: 'Id as text.' }),
  entity_type: Type.String({
    description: 'For example User, Chat, Message, Reaction, GroupTag, TopicThread, VideoRoom, AccessToken.',
  }),
  actor_id: Type.String({ description: 'User or bot id as text.' }),
  actor_type: Type.String({ description: 'Always `User`.' }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Shape depends on event_key, see the conditions below.',
  }),
  ip_address: Nullable(Type.String(), { description: 'Null when no request caused the event.' }),
  user_agent: Nullable(Type.String({ maxLength: 255 }), {
    description: 'Cut at 255 characters; null when no request caused the event.',
  }),
})
export type AuditEvent = Static<typeof AuditEvent>

export const listAuditEvents = operation({
  id: 'listAuditEvents',
  confined: false,
  area: 'Security',
  summary: 'Audit log, newest first',
  description: 'Records are kept 90 days.',
  access: 'Workspace owner only. Every call writes audit_events_accessed.',
  mayLag: true,
  method: 'GET',
  path: '/audit_events',
  scope: 'audit_events:read',
  plan: 'corporation',
  roles: OWNER,
  rate: 'other',
  query: Type.Object({
    start_time: Type.Optional(
      annotated(TimeInput, {
        description: 'Inclusive. A value that cannot be read removes the filter, without an error.',
      }),
    ),
    end_time: Type.Optional(annotated(TimeInput, { description: 'Inclusive. Same rules as start_time.' })),
    event_key: Type.Optional(annotated(AuditEventKey, { description: 'One kind of event.' })),
    actor_id: Type.Optional(Type.String({ description: 'Who acted.' })),
    actor_type: Type.Optional(Type.String({ description: 'Kind of actor.' })),
    entity_id: Type.Optional(Type.String({ description: 'What was affected.' })),
    entity_type: Type.Optional(Type.String({ description: 'Kind of the affected object.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(AuditEvent) },
  neverAnswered: [422],
})

/** Whether the hash chain of the audit log is whole. */
export const AuditIntegrity = Type.Object({
  whole: Type.Boolean({ description: 'No record of the chain was changed, added or removed.' }),
  checked: Type.Integer({ description: 'How many records were checked.' }),
  unsealed: Type.Integer({ description: 'Newest records that are not in the chain yet.' }),
  position: Nullable(Type.Integer(), { description: 'Where the chain breaks; null where it is whole.' }),
  fault: Nullable(
    Enum(['row changed', 'row missing', 'row added', 'head not sealed', 'head does not fit the key']),
    { description: 'What is wrong there; null where it is whole.' },
  ),
  head: Nullable(Type.String(), {
    description: 'Where the chain ends, to be kept elsewhere: a later check must still run through it.',
  }),
})
export type AuditIntegrity = Static<typeof AuditIntegrity>

export const checkAuditIntegrity = operation({
  id: 'checkAuditIntegrity',
  confined: false,
  area: 'Security',
  summary: 'Check that nobody changed the audit log',
  description: 'Walks the whole hash chain, as `parley audit verify` does.',
  access: 'Workspace owner only.',
  method: 'GET',
  path: '/audit_events/integrity',
  scope: 'audit_events:read',
  plan: 'corporation',
  roles: OWNER,
  rate: 'other',
  returns: { status: 200, body: Data(AuditIntegrity) },
  addition: true,
})
