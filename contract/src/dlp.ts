import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { ADMINS } from './scopes.js'
import { Cursor, Data, Enum, Id, Limit, Page, Timestamp } from './shapes.js'

/** What becomes of a message that a rule matches. */
export const DlpActionType = Enum(['AUDIT_LOG', 'BLOCK', 'BLOCK_AND_AUDIT_LOG'])
export type DlpActionType = Static<typeof DlpActionType>

/**
 * The body of a rule, edited as text: `scope` (`to_external`, `channel_type`, `user_role`), `conditions` (`all` and `any`
 * of `regex`, `keyword` or nested conditions) and `action` (`type`, `message`).
 */
export const DlpRuleBody = Type.Record(Type.String(), Type.Unknown(), {
  description: 'scope (optional), conditions and action of the rule.',
})
export type DlpRuleBody = Static<typeof DlpRuleBody>

/** A rule against leaks: messages are held against enabled rules, the highest priority first. */
export const DlpRule = Type.Object({
  id: Id,
  name: Type.String(),
  priority: Type.Integer({ description: 'Unique; the larger runs first.' }),
  enabled: Type.Boolean(),
  body: DlpRuleBody,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type DlpRule = Static<typeof DlpRule>

/** A new rule. */
export const DlpRuleCreateRequest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  priority: Type.Integer({ format: 'int32', minimum: -1_000_000, maximum: 1_000_000 }),
  enabled: Type.Optional(Type.Boolean({ default: true })),
  body: DlpRuleBody,
})
export type DlpRuleCreateRequest = Static<typeof DlpRuleCreateRequest>

/** Only passed fields change. */
export const DlpRuleUpdateRequest = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  priority: Type.Optional(Type.Integer({ format: 'int32', minimum: -1_000_000, maximum: 1_000_000 })),
  enabled: Type.Optional(Type.Boolean()),
  body: Type.Optional(DlpRuleBody),
})
export type DlpRuleUpdateRequest = Static<typeof DlpRuleUpdateRequest>

export const listDlpRules = operation({
  id: 'listDlpRules',
  area: 'Security',
  summary: 'Rules against leaks, the first to run first',
  access: 'Owner and admins.',
  method: 'GET',
  path: '/dlp_rules',
  scope: null,
  plan: 'corporation',
  roles: ADMINS,
  rate: 'other',
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: { status: 200, body: Page(DlpRule) },
  sessionOnly: true,
  addition: true,
})

export const createDlpRule = operation({
  id: 'createDlpRule',
  area: 'Security',
  summary: 'New rule against leaks',
  access: 'Owner and admins.',
  method: 'POST',
  path: '/dlp_rules',
  scope: null,
  plan: 'corporation',
  roles: ADMINS,
  rate: 'other',
  body: DlpRuleCreateRequest,
  returns: { status: 201, body: Data(DlpRule) },
  problems: { 409: ['already_exists'], 422: ['blank', 'invalid', 'inclusion', 'too_long'] },
  sessionOnly: true,
  addition: true,
})

export const updateDlpRule = operation({
  id: 'updateDlpRule',
  area: 'Security',
  summary: 'Change a rule against leaks',
  access: 'Owner and admins.',
  method: 'PUT',
  path: '/dlp_rules/{id}',
  scope: null,
  plan: 'corporation',
  roles: ADMINS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: DlpRuleUpdateRequest,
  returns: { status: 200, body: Data(DlpRule) },
  problems: {
    404: ['not_found'],
    409: ['already_exists'],
    422: ['blank', 'invalid', 'inclusion', 'too_long'],
  },
  sessionOnly: true,
  addition: true,
})

export const deleteDlpRule = operation({
  id: 'deleteDlpRule',
  area: 'Security',
  summary: 'Delete a rule against leaks',
  access: 'Owner and admins.',
  method: 'DELETE',
  path: '/dlp_rules/{id}',
  scope: null,
  plan: 'corporation',
  roles: ADMINS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  sessionOnly: true,
  addition: true,
})

/** What a rule says of one text. `unknown` where it could not be judged in time: such a text counts as matched. */
export const DlpVerdict = Enum(['matched', 'not_matched', 'unknown'])
export type DlpVerdict = Static<typeof DlpVerdict>

export const tryDlpRule = operation({
  id: 'tryDlpRule',
  dryRun: false,
  area: 'Security',
  summary: 'Try a rule against leaks on texts',
  description:
    'Only the conditions are tried; nothing is kept or sent. One verdict for each text, in their order.',
  access: 'Owner and admins.',
  method: 'POST',
  path: '/dlp_rules/try',
  scope: null,
  plan: 'corporation',
  roles: ADMINS,
  rate: 'other',
  body: Type.Object({
    body: DlpRuleBody,
    texts: Type.Array(Type.String({ maxLength: 40_000 }), {
      minItems: 1,
      maxItems: 20,
      description: 'Texts to hold against the rule.',
    }),
  }),
  returns: { status: 200, body: Data(Type.Array(DlpVerdict)) },
  problems: { 422: ['blank', 'invalid', 'inclusion', 'too_long'] },
  sessionOnly: true,
  addition: true,
})
