import { translated } from '../platform/http/reply-problem.js'
import { OAuthProblem, Problem } from '../platform/problem.js'

/** A command that cannot be done, as one sentence for the person who typed it. */
export class OperatorError extends Error {}

/** What a verb refused, one line a fault; undefined where the error is none of the contract's. */
export function explainRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const problem = translated(error)
  if (problem instanceof OAuthProblem) return problem.description
  if (!(problem instanceof Problem)) return undefined
  return problem.errors
    .map(({ key, message, value }) => {
      const about = key === 'base' ? '' : `${key}${value === null ? '' : ` "${value}"`}: `
      return `${about}${message}`
    })
    .join('\n')
}
