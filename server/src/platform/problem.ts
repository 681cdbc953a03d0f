import {
  type ApiErrorItem,
  docOf,
  ERROR_MESSAGES,
  type ErrorCode,
  type ErrorPayload,
  type Explanation,
  RULES,
  type Rule,
  type RuleId,
  ruleOf,
} from '@parley/contract'
import type { RateVerdict } from './rates/rates.js'

export interface ProblemDetail {
  key?: string
  value?: unknown
  message?: string
  payload?: ErrorPayload
  /** The rule behind the refusal, where it is not the one of the code. */
  rule?: RuleId
  /** What the rule asks for here: a limit, a list of words. */
  needs?: Facts
  /** What it found: of the caller and the input alone, and never a text that was sent. */
  has?: Facts
}

export type Facts = Readonly<Record<string, unknown>>

/** What explains an error; not part of the item, whose members are those of the agreed document. */
const reasons = new WeakMap<ApiErrorItem, Pick<ProblemDetail, 'rule' | 'needs' | 'has'>>()

/** The names of ids, by the type of a record. */
const idName = (type: string) =>
  `${type.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}_id`

/** Whether a refusal names its rule itself. */
export function isExplained([item]: readonly ApiErrorItem[]): boolean {
  return item !== undefined && reasons.get(item)?.rule !== undefined
}

/** Why the first error of a refusal came about. */
export function explanationOf([item]: readonly ApiErrorItem[]): Explanation | undefined {
  if (!item) return undefined
  const { rule = ruleOf(item.code), needs, has } = reasons.get(item) ?? {}
  const record = item.payload && 'record' in item.payload ? item.payload.record : undefined
  return explained(rule, { ...needs, ...(item.key === 'base' ? {} : { field: item.key }) }, has, record)
}

export function explained(
  rule: RuleId,
  needs: Facts = {},
  has: Facts = {},
  record?: { type: string; id: number },
): Explanation {
  const { remedy, needs: usual }: Rule = RULES[rule]
  const about = record ? { [idName(record.type)]: record.id } : {}
  return { rule, needs: { ...usual, ...needs }, has, remedy, with: about, doc: docOf(rule) }
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Codes whose text in the contract says the whole rule. A refusal with another code names the rule and its limit. */
export const PLAIN_CODES = [
  'wrong_emoji',
  'required',
  'not_found',
  'self_update',
  'owner_protected',
  'already_assigned',
  'message_deleted',
  'thread_message',
  'trigger_not_found',
  'trigger_expired',
  'view_not_found',
  'submit_expired',
  'draft_type_change_forbidden',
  'bot_add_denied',
  'single_chat_bot_occupied',
  'single_chat_bot_tag_denied',
  'bot_changed_concurrently',
  'payment_required',
  'export_file_not_found',
  'cannot_kick_owner',
  'service_unavailable',
  'unhandled',
] as const
export type PlainCode = (typeof PLAIN_CODES)[number]
type ToldDetail = ProblemDetail & ({ message: string } | { rule: RuleId })

/** What a key names: `chat_ids` a chat. An id of the path is named where the request is known. */
function missingText(key: string): string {
  const noun = key === 'entity_id' ? 'chat, thread or person' : /^(\w+?)_ids?$/.exec(key)?.[1]
  return noun === undefined
    ? ERROR_MESSAGES.not_found
    : `there is no ${noun.replaceAll('_', ' ')} with this id`
}

/** The text that was given, or the sentence of the rule, or what the code says. */
function textOf(code: ErrorCode, key: string, { message, rule }: ProblemDetail): string {
  if (message !== undefined) return message
  if (rule) return `${ERROR_MESSAGES[code]}: ${RULES[rule].sentence}`
  return code === 'not_found' ? missingText(key) : ERROR_MESSAGES[code]
}

/** One line of an API error. */
export function problemItem(code: PlainCode, detail?: ProblemDetail): ApiErrorItem
export function problemItem(code: ErrorCode, detail: ToldDetail): ApiErrorItem
export function problemItem(code: ErrorCode, detail: ProblemDetail = {}): ApiErrorItem {
  const { key = 'base', value, payload = null, rule, needs, has } = detail
  const item = { key, value: asText(value), message: textOf(code, key, detail), code, payload }
  if (rule ?? needs ?? has) reasons.set(item, { rule, needs, has })
  return item
}

/** A refusal that the contract knows: a status, a code, and what it is about. */
export class Problem extends Error {
  readonly errors: ApiErrorItem[]
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: number, code: PlainCode, detail?: ProblemDetail, headers?: Record<string, string>)
  constructor(status: number, code: ErrorCode, detail: ToldDetail, headers?: Record<string, string>)
  constructor(
    status: number,
    code: ErrorCode,
    detail: ProblemDetail = {},
    headers: Record<string, string> = {},
  ) {
    super(code)
    this.status = status
    this.headers = headers
    this.errors = [problemItem(code as PlainCode, detail)]
  }

  /** Several faults of one request, reported together. */
  static of(status: number, errors: ApiErrorItem[]): Problem {
    const problem = new Problem(status, 'unhandled')
    problem.message = errors[0]?.code ?? 'unhandled'
    problem.errors.splice(0, problem.errors.length, ...errors)
    return problem
  }

  get code(): ErrorCode {
    return this.errors[0]?.code ?? 'unhandled'
  }
}

/** A refusal of the token itself, or of a sign-in operation. */
export class OAuthProblem extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    readonly description: string,
    readonly scope?: string,
    readonly explanation?: Explanation,
  ) {
    super(error)
  }
}

/** Over a per-second limit: answered as plain text before the method runs. */
export class TooMany extends Error {
  constructor(
    readonly retry_after_s: number,
    readonly window: string,
    /** What the RateLimit headers tell; undefined where no window of requests was full. */
    readonly verdict?: RateVerdict,
  ) {
    super('Too Many Requests')
  }
}

export type Verdict =
  | { allowed: true }
  | { allowed: false; code: ErrorCode; rule: RuleId | null; reason?: string; has?: Facts }
export const ALLOW: Verdict = { allowed: true }

/** A no, with the rule behind it, and what is true of the caller. */
export function deny(code: ErrorCode, rule: RuleId | null = null, has?: Facts) {
  return { allowed: false as const, code, rule, ...(has && { has }) }
}

/** The usual no: not allowed, by this rule. */
export function refuse(rule: RuleId, has?: Facts) {
  return deny('not_authorized', rule, has)
}

/** Turns a rule's no into a 403 that names the act and the record. */
export function ensure(verdict: Verdict, query: string, record: { type: string; id: number }): void {
  if (verdict.allowed) return
  const { code, rule, has } = verdict
  const reason = verdict.reason ?? (rule === null ? undefined : RULES[rule].sentence)
  const message = reason === undefined ? ERROR_MESSAGES[code] : `${ERROR_MESSAGES[code]}: ${reason}`
  throw new Problem(403, code, { payload: { record, query }, message, has, ...(rule && { rule }) })
}

/** Gives the row, or refuses with 404. */
export function found<T>(row: T | undefined | null, detail: ProblemDetail = { key: 'id' }): T {
  if (row === undefined || row === null) throw new Problem(404, 'not_found', detail)
  return row
}
