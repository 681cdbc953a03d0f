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

/** One line of an API error. */
export function problemItem(code: ErrorCode, detail: ProblemDetail = {}): ApiErrorItem {
  const { key = 'base', value, message, payload = null } = detail
  return { key, value: asText(value), message: message ?? ERROR_MESSAGES[code], code, payload }
}

/** A refusal that the contract knows: a status, a code, and what it is about. */
export class Problem extends Error {
  readonly errors: ApiErrorItem[]

  constructor(
    readonly status: number,
    code: ErrorCode,
    detail: ProblemDetail = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(code)
    this.errors = [problemItem(code, detail)]
  }

  /** Several faults of one request, told together. */
  static of(status: number, errors: ApiErrorItem[]): Problem {
    const problem = new Problem(status, errors[0]?.code ?? 'invalid')
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

export type Verdict = { allowed: true } | { allowed: false; code: ErrorCode }
export const ALLOW: Verdict = { allowed: true }
export function deny(code: ErrorCode = 'not_authorized'): Verdict {
  return { allowed: false, code }
}

/** Turns a rule's no into a 403 that names the act and the record. */
export function ensure(verdict: Verdict, query: string, record: { type: string; id: number }): void {
  if (!verdict.allowed) throw new Problem(403, verdict.code, { payload: { record, query } })
}

/** Gives the row, or refuses with 404. */
export function found<T>(row: T | undefined | null, detail: ProblemDetail = { key: 'id' }): T {
  if (row === undefined || row === null) throw new Problem(404, 'not_found', detail)
  return row
}
