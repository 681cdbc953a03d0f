import { translated } from '../platform/http/reply-problem.js'
import { OAuthProblem, Problem, TooMany } from '../platform/problem.js'

type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** A refusal of SCIM (RFC 7644, 3.12). */
export class ScimError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly scimType?: ScimType,
  ) {
    super(detail)
  }
}

export const invalidValue = (detail: string) => new ScimError(400, detail, 'invalidValue')

/** Refusals of our verbs in the words of SCIM; undefined for anything else. */
export function scimErrorOf(thrown: unknown): ScimError | undefined {
  const error = translated(thrown as Error)
  if (error instanceof ScimError) return error
  if (error instanceof TooMany) return new ScimError(429, 'Too many requests')
  if (error instanceof OAuthProblem) return new ScimError(error.status, error.description)
  if (!(error instanceof Problem)) return undefined
  const text = error.errors
    .map(({ key, message }) => (key === 'base' ? message : `${key} ${message}`))
    .join('; ')
  if (error.status === 409) return new ScimError(409, text, 'uniqueness')
  if (error.status === 404) return new ScimError(404, text)
  if (error.status === 403 || ['self_update', 'licenses_limit', 'owner_protected'].includes(error.code))
    return new ScimError(403, text)
  return error.status < 500 ? invalidValue(text) : undefined
}

export function presentError({ status, detail, scimType }: ScimError) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
    detail,
  }
}
