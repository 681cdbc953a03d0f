import type { ChatFor } from '../chats/queries.js'
import type { Actor } from '../platform/actor.js'
import type { AuditRecord } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { createMatcher, type Matcher } from './matcher.js'
import { type DlpRuleRow, hasGuests, listEnabledRules } from './queries.js'
import { type Rule, readRule, type Scope } from './rule.js'

const REMOVED = 'Removed by DLP'

export type DlpChat = Pick<ChatFor, 'id' | 'kind' | 'my_role' | 'my_parent_role' | 'parent_chat_id'>

export interface DlpResult {
  /** What may stand in the chat. */
  content: string
  /** What the audit log hears, once the message has its id. */
  records(messageId: number): AuditRecord[]
}

/** One matching thread a process, made when the first rule asks for it. */
const matchers = new WeakMap<Context['log'], Matcher>()

function matcherOf({ log }: Context): Matcher {
  const known = matchers.get(log) ?? createMatcher(log)
  matchers.set(log, known)
  return known
}

function channelType({ kind }: DlpChat): string {
  return kind === 'conversation' ? 'discussion' : kind
}

/** What the author is in the chat; whoever only reads a channel is its subscriber. */
function userRole(chat: DlpChat): string {
  const role = chat.my_role ?? chat.my_parent_role ?? 'not_member'
  return role === 'member' && chat.kind === 'channel' ? 'subscriber' : role
}

async function concerns(db: Db, scope: Scope, chat: DlpChat): Promise<boolean> {
  const { channel_type, user_role } = scope
  if (channel_type && !(channel_type as string[]).includes(channelType(chat))) return false
  if (user_role && !(user_role as string[]).includes(userRole(chat))) return false
  if (!scope.to_external) return true
  return hasGuests(db, [chat.id, ...(chat.parent_chat_id ? [chat.parent_chat_id] : [])])
}

function violation(
  actor: Actor,
  chat: DlpChat,
  row: DlpRuleRow,
  { action }: Rule,
  content: string,
): DlpResult {
  const blocks = action.type !== 'AUDIT_LOG'
  const details = {
    dlp_rule_id: row.id,
    dlp_rule_name: row.name,
    chat_id: chat.id,
    user_id: actor.user_id,
    action_message: action.message,
    conditions_matched: true,
  }
  return {
    content: blocks ? (action.message ?? REMOVED) : content,
    records(message_id) {
      if (action.type === 'BLOCK') return []
      const entity = { entity_type: 'Message', entity_id: message_id }
      return [{ event_key: 'dlp_violation_detected', ...entity, details: { ...details, message_id } }]
    },
  }
}

/**
 * Holds a text against the rules, the highest priority first; the first that matches decides. The text that it gives
 * back is the only one that may be kept.
 */
export async function applyDlp(
  db: Db,
  ctx: Context,
  actor: Actor,
  chat: DlpChat,
  content: string,
): Promise<DlpResult> {
  const passed: DlpResult = { content, records: () => [] }
  if (actor.plan !== 'corporation' || content === '') return passed
  for (const row of await listEnabledRules(db)) {
    const rule = readRule(row.body)
    if (!(await concerns(db, rule.scope, chat))) continue
    const question = { rule: `${row.id}:${row.version}`, conditions: rule.conditions, text: content }
    if (await matcherOf(ctx).matches(question)) return violation(actor, chat, row, rule, content)
  }
  return passed
}
