import { type ApiErrorItem, ERROR_MESSAGES, type ErrorCode, type ErrorPayload } from '@parley/contract'

export interface ProblemDetail {
  key?: string
  value?: unknown
  message?: string
  payload?: ErrorPayload
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Rules with a number in them: whoever refuses by one of these tells the limit. */
type LimitCode =
  | 'too_long'
  | 'min_length'
  | 'max_length'
  | 'user_limit'
  | 'unique_limit'
  | 'general_limit'
  | 'licenses_limit'
  | 'scheduled_messages_limit'

/** Every other rule has a text of its own; one with a limit is told with it. */
type ToldDetail = ProblemDetail & { message: string }
export type PlainCode = Exclude<ErrorCode, LimitCode>

/** One line of an API error. */
export function problemItem(code: PlainCode, detail?: ProblemDetail): ApiErrorItem
export function problemItem(code: ErrorCode, detail: ToldDetail): ApiErrorItem
export function problemItem(code: ErrorCode, detail: ProblemDetail = {}): ApiErrorItem {
  const { key = 'base', value, message, payload = null } = detail
  return { key, value: asText(value), message: message ?? ERROR_MESSAGES[code], code, payload }
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

  /** Several faults of one request, told together. */
  static of(status: number, errors: ApiErrorItem[]): Problem {
    const problem = new Problem(status, 'invalid')
    problem.message = errors[0]?.code ?? 'invalid'
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
  ) {
    super(error)
  }
}

/** Over a per-second limit: answered as plain text before the method runs. */
export class TooMany extends Error {
  constructor(readonly retry_after_s: number) {
    super('Too Many Requests')
  }
}

export type Verdict = { allowed: true } | { allowed: false; code: ErrorCode; reason?: string }
export const ALLOW: Verdict = { allowed: true }

/** A no, with the rule behind it in words for people. */
export function deny(code: ErrorCode = 'not_authorized', reason?: string): Verdict {
  return reason === undefined ? { allowed: false, code } : { allowed: false, code, reason }
}

/** The usual no: not allowed, for this reason. */
export function refuse(reason: string): Verdict {
  return deny('not_authorized', reason)
}

/** Turns a rule's no into a 403 that names the act and the record. */
export function ensure(verdict: Verdict, query: string, record: { type: string; id: number }): void {
  if (verdict.allowed) return
  const { code, reason } = verdict
  const message = reason === undefined ? ERROR_MESSAGES[code] : `${ERROR_MESSAGES[code]}: ${reason}`
  throw new Problem(403, code, { payload: { record, query }, message })
}

/** Gives the row, or refuses with 404. */
export function found<T>(row: T | undefined | null, detail: ProblemDetail = { key: 'id' }): T {
  if (row === undefined || row === null) throw new Problem(404, 'not_found', detail)
  return row
}
