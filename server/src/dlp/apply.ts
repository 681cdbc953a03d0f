import type { ChatFor } from '../chats/queries.js'
import type { Actor } from '../platform/actor.js'
import type { AuditRecord } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { createMatcher, type Matcher } from './matcher.js'
import { type DlpRuleRow, hasGuests, listEnabledRules } from './queries.js'
import { type Rule, readRule, type Scope } from './rule.js'

const REMOVED = 'Removed by DLP'

export type DlpChat = Pick<
  ChatFor,
  'id' | 'kind' | 'my_role' | 'my_parent_role' | 'parent_chat_id' | 'parent_kind'
>

export interface DlpResult {
  /** What may be posted in the chat. */
  content: string
  /** Buttons, shown name and files must not be kept. */
  labels_blocked: boolean
  /** What the audit log hears, once the message has its id. */
  records(messageId: number): AuditRecord[]
}

/** One matching thread a process, made when the first rule asks for it. */
const matchers = new WeakMap<Context['log'], Matcher>()

export function matcherOf({ log }: Context): Matcher {
  const known = matchers.get(log) ?? createMatcher(log)
  matchers.set(log, known)
  return known
}

function channelType({ kind }: DlpChat): string {
  return kind === 'conversation' ? 'discussion' : kind
}

/**
 * What the author is in the chat; a member who only reads a channel is its subscriber. A comment is judged by the chat that its thread
 * hangs in: in the thread itself the first comment makes everybody a member, and the second would be judged otherwise.
 */
function userRole(chat: DlpChat): string {
  const { kind, my_role, parent_chat_id, parent_kind, my_parent_role } = chat
  const [where, role] = parent_chat_id === null ? [kind, my_role] : [parent_kind, my_parent_role]
  if (role === 'member' && where === 'channel') return 'subscriber'
  return role ?? 'not_member'
}

async function concerns(db: Db, scope: Scope, chat: DlpChat | null): Promise<boolean> {
  const { channel_type, user_role } = scope
  if (!chat) return !channel_type && !user_role && !scope.to_external
  if (channel_type && !(channel_type as string[]).includes(channelType(chat))) return false
  if (user_role && !(user_role as string[]).includes(userRole(chat))) return false
  if (!scope.to_external) return true
  return hasGuests(db, [chat.id, ...(chat.parent_chat_id ? [chat.parent_chat_id] : [])])
}

interface Violation {
  row: DlpRuleRow
  action: Rule['action']
  /** False where the rule could not be judged in time: it then counts as violated, and the log says so. */
  matched: boolean
}

/** The first rule that a text violates, the highest priority first. Without a chat, rules for kinds of chats are passed. */
async function findViolation(
  db: Db,
  ctx: Context,
  chat: DlpChat | null,
  text: string,
): Promise<Violation | undefined> {
  if (text === '') return undefined
  for (const row of await listEnabledRules(db)) {
    const { scope, conditions, action } = readRule(row.body)
    if (!(await concerns(db, scope, chat))) continue
    const match = await matcherOf(ctx).match({ rule: `${row.id}:${row.version}`, conditions, text })
    if (match !== 'not_matched') return { row, action, matched: match === 'matched' }
  }
  return undefined
}

const blocks = ({ action }: Violation) => action.type !== 'AUDIT_LOG'
const isLogged = ({ action, matched }: Violation) => action.type !== 'BLOCK' || !matched
const replacement = ({ action }: Violation) => action.message ?? REMOVED

function detailsOf({ row, action, matched }: Violation, actor: Actor, chatId: number) {
  return {
    dlp_rule_id: row.id,
    dlp_rule_name: row.name,
    chat_id: chatId,
    user_id: actor.user_id,
    action_message: action.message,
    conditions_matched: matched,
  }
}

/**
 * Holds a message against the rules. What it gives back is all that may be kept: a blocked text is replaced; where the
 * labels are blocked (buttons, shown name, file names) they go with buttons and files, and the text is replaced too.
 */
export async function applyDlp(
  db: Db,
  ctx: Context,
  actor: Actor,
  chat: DlpChat,
  content: string,
  labels: readonly string[] = [],
): Promise<DlpResult> {
  if (actor.plan !== 'corporation') return { content, labels_blocked: false, records: () => [] }
  const inLabels = await findViolation(db, ctx, chat, labels.join('\n'))
  const labels_blocked = inLabels !== undefined && blocks(inLabels)
  const inContent = labels_blocked ? undefined : await findViolation(db, ctx, chat, content)
  const found = [inLabels, inContent].filter((one) => one !== undefined)
  const blocking = found.find(blocks)
  return {
    content: blocking ? replacement(blocking) : content,
    labels_blocked,
    records: (message_id) =>
      found.filter(isLogged).map((one) => ({
        event_key: 'dlp_violation_detected',
        entity_type: 'Message',
        entity_id: message_id,
        details: { ...detailsOf(one, actor, chat.id), message_id },
      })),
  }
}

/** Holds the text of a task against the rules. The record names the task; 0 means no message and no chat. */
export async function applyDlpToTask(
  db: Db,
  ctx: Context,
  actor: Actor,
  chat: DlpChat | null,
  content: string,
): Promise<{ content: string; records(taskId: number): AuditRecord[] }> {
  const found = actor.plan === 'corporation' ? await findViolation(db, ctx, chat, content) : undefined
  if (!found) return { content, records: () => [] }
  const details = { ...detailsOf(found, actor, chat?.id ?? 0), message_id: 0 }
  return {
    content: blocks(found) ? replacement(found) : content,
    records: (entity_id) =>
      isLogged(found)
        ? [{ event_key: 'dlp_violation_detected', entity_type: 'Task', entity_id, details }]
        : [],
  }
}
