import type { DlpActionType, DlpRule, DlpRuleBody } from '@parley/contract'

export const CHANNEL_TYPES = ['personal', 'discussion', 'channel', 'thread'] as const
export const USER_ROLES = ['owner', 'admin', 'editor', 'member', 'subscriber', 'not_member'] as const
export const ACTIONS: readonly DlpActionType[] = ['AUDIT_LOG', 'BLOCK', 'BLOCK_AND_AUDIT_LOG']

type Condition = { type?: string; pattern?: string; value?: string; min_hits?: number; max_hits?: number }
type Group = Partial<Record<'all' | 'any', Condition[]>>

/** The body of a rule that the server has accepted. */
interface Body {
  scope?: Partial<Pick<RuleDraft, 'to_external' | 'channel_type' | 'user_role'>>
  conditions: Group
  action: { type: DlpActionType; message?: string | null }
}

/** Numbers are kept as they are typed. */
export interface ConditionDraft {
  key: number
  type: 'keyword' | 'regex'
  text: string
  min_hits: string
  max_hits: string
}

export interface RuleDraft {
  name: string
  priority: string
  enabled: boolean
  join: 'all' | 'any'
  /** Null where they are nested: those are kept as they are. */
  conditions: readonly ConditionDraft[] | null
  nested: Group | null
  action: DlpActionType
  message: string
  to_external: boolean
  /** Empty means every one, here and in the roles. */
  channel_type: readonly string[]
  user_role: readonly string[]
}

let lastKey = 0

export function newCondition(): ConditionDraft {
  lastKey += 1
  return { key: lastKey, type: 'keyword', text: '', min_hits: '1', max_hits: '' }
}

function readCondition({ type, pattern, value, min_hits = 1, max_hits }: Condition): ConditionDraft {
  return {
    ...newCondition(),
    type: type === 'regex' ? 'regex' : 'keyword',
    text: pattern ?? value ?? '',
    min_hits: String(min_hits),
    max_hits: String(max_hits ?? ''),
  }
}

/** A form shows one list of conditions; what is nested deeper it only keeps. */
function readConditions(group: Group): Pick<RuleDraft, 'join' | 'conditions' | 'nested'> {
  const { all, any } = group
  const list = all ?? any ?? []
  const join = all ? 'all' : 'any'
  if ((all && any) || list.some(({ type }) => type === undefined))
    return { join, conditions: null, nested: group }
  return { join, conditions: list.map(readCondition), nested: null }
}

export function newDraft(priority: number): RuleDraft {
  return {
    name: '',
    priority: String(priority),
    enabled: true,
    join: 'any',
    conditions: [newCondition()],
    nested: null,
    action: 'BLOCK_AND_AUDIT_LOG',
    message: '',
    to_external: false,
    channel_type: [],
    user_role: [],
  }
}

export function readDraft({ name, priority, enabled, body }: DlpRule): RuleDraft {
  const { scope = {}, conditions, action } = body as unknown as Body
  return {
    ...newDraft(priority),
    ...scope,
    ...readConditions(conditions),
    name,
    enabled,
    action: action.type,
    message: action.message ?? '',
  }
}

/** What is no whole number is sent as it was typed: the server names the field that is wrong. */
function numberIn(text: string): number | string {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : text
}

function writeCondition({ type, text, min_hits, max_hits }: ConditionDraft) {
  return {
    type,
    ...(type === 'regex' ? { pattern: text } : { value: text }),
    min_hits: numberIn(min_hits.trim() || '1'),
    ...(max_hits.trim() ? { max_hits: numberIn(max_hits) } : {}),
  }
}

export function bodyOf(draft: RuleDraft): DlpRuleBody {
  const { join, conditions, nested, action, to_external, channel_type, user_role } = draft
  const message = draft.message.trim()
  return {
    scope: {
      to_external,
      ...(channel_type.length > 0 ? { channel_type } : {}),
      ...(user_role.length > 0 ? { user_role } : {}),
    },
    conditions: conditions ? { [join]: conditions.map(writeCondition) } : nested,
    action: { type: action, ...(message ? { message } : {}) },
  }
}
