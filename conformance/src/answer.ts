import type { Operation } from '@parley/contract'

/** What a server answered. */
export interface Answer<B = unknown> {
  operation: Operation
  status: number
  headers: Headers
  /** Parsed where it is JSON; undefined where it is empty. */
  body: B
  text: string
}

export interface ErrorItem {
  key: string
  value: string | null
  message: string
  code: string
  payload: unknown
}

export function errorsOf({ body }: Answer): ErrorItem[] {
  const { errors } = (body ?? {}) as { errors?: unknown }
  return Array.isArray(errors) ? errors : []
}

/** One line about an answer, for messages of failures. */
export function describeAnswer(answer: Answer): string {
  const errors = errorsOf(answer).map(({ key, code }) => `${key} ${code}`)
  const detail = errors.length > 0 ? `: ${errors.join(', ')}` : ''
  return `${answer.operation.id} answered ${answer.status}${detail}`
}
