import { ApiError, ERROR_CODES, OAuthError, problemCodes, problemStatuses } from '@parley/contract'
import type { TSchema } from 'typebox'
import * as Schema from 'typebox/schema'
import { shapeFor } from './agreed-shape.js'
import { type Answer, errorsOf } from './answer.js'
import type { Level } from './law.js'

function shapeFaults(schema: TSchema, value: unknown): string[] {
  if (Schema.Check(schema, value)) return []
  const [, errors] = Schema.Errors(schema, value)
  return errors.slice(0, 3).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`)
}

function isShape(schema: TSchema, value: unknown): boolean {
  return Schema.Check(schema, value)
}

function successFaults(answer: Answer, level: Level): string[] {
  const { operation, body, text, headers } = answer
  const { variant, media } = operation.returns
  const schema = shapeFor(operation, level)
  if (!schema) {
    if (media || answer.status === 302 || text === '') return []
    return [`a body came where none is declared: ${text.slice(0, 80)}`]
  }
  if (!headers.get('content-type')?.includes('application/json'))
    return [`the content type is ${headers.get('content-type')}, not application/json`]
  if (variant && isShape(variant, body)) return []
  return shapeFaults(schema, body)
}

function limitFaults({ headers, text }: Answer): string[] {
  const wait = headers.get('retry-after') ?? ''
  const faults = /^[1-9]\d*$/.test(wait) ? [] : [`Retry-After is ${wait || 'missing'}, not whole seconds`]
  const isPlain = headers.get('content-type')?.startsWith('text/plain') || text.startsWith('{"errors"')
  return isPlain ? faults : [...faults, 'the body of a 429 is neither plain text nor an error of the quota']
}

function codeFaults(answer: Answer, level: Level): string[] {
  const declared: readonly string[] =
    level === 'additions' ? problemCodes(answer.operation, answer.status) : ERROR_CODES
  const others = errorsOf(answer).filter(({ code }) => !declared.includes(code))
  return others.map(({ code }) => `code ${code} is not declared at ${answer.status}`)
}

function refusalFaults(answer: Answer, level: Level): string[] {
  const { operation, status, body, headers } = answer
  if (status === 429) return limitFaults(answer)
  if (status < 400 || status === 415 || operation.returns.media === 'text/html') return []
  const isOAuth = status === 401 || operation.oauthErrors === true
  const fits = isOAuth ? isShape(OAuthError, body) : isShape(ApiError, body)
  const isToken = status === 403 && isShape(OAuthError, body)
  if (!fits && !isToken) return [`the body of ${status} is no error of the contract`]
  if ((status === 401 || isToken) && operation.roles.length > 0 && !headers.get('www-authenticate'))
    return [`${status} has no WWW-Authenticate`]
  return codeFaults(answer, level)
}

/** What is wrong with an answer, whatever was asked: status, headers, shape and codes are those of the contract. */
export function checkAnswer(answer: Answer, level: Level): string[] {
  const { operation, status, headers } = answer
  const faults =
    level === 'additions' && !headers.get('x-request-id') && !operation.external
      ? ['X-Request-Id is missing']
      : []
  if (status === operation.returns.status) return [...faults, ...successFaults(answer, level)]
  if (status >= 500 && status !== 503 && status !== 504)
    return [...faults, `the server failed with ${status}`]
  if (!problemStatuses(operation).includes(status) && status !== 503)
    return [...faults, `status ${status} is not declared`]
  return [...faults, ...refusalFaults(answer, level)]
}
