import { type ApiErrorItem, ERROR_MESSAGES } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.js'
import { CONSTRAINTS } from '../db/constraints.js'
import { isConnectionLost, isDiskFull } from '../db/failures.js'
import { explanationOf, isExplained, OAuthProblem, Problem, TooMany } from '../problem.js'
import { MEDIA_TYPES } from './lenient-body.js'
import { pathOf } from './log-requests.js'
import { rateHeaders } from './rate-headers.js'

interface DatabaseError {
  code?: string
  constraint?: string
}

/** Faults that Fastify and the database find, in the words of the contract. */
export function translated(error: Error & DatabaseError & { statusCode?: number }): Error {
  if (error instanceof Problem || error instanceof OAuthProblem || error instanceof TooMany) return error
  const constraint = error.code === '23505' ? CONSTRAINTS[error.constraint ?? ''] : undefined
  if (constraint) {
    const { status, code, key } = constraint
    return new Problem(status, code, { key, message: `is in use already: choose another ${key}` })
  }
  if (isDiskFull(error)) return new Problem(503, 'service_unavailable', {}, { 'Retry-After': '10' })
  if (isConnectionLost(error)) return new Problem(503, 'service_unavailable', {}, { 'Retry-After': '1' })
  if (error.statusCode === 413) return new Problem(413, 'too_long', { key: 'body', message: error.message })
  if (error.statusCode === 404) return new Problem(404, 'not_found')
  if (error.code === 'FST_ERR_BAD_URL')
    return new Problem(400, 'wrong_params', {
      key: 'path',
      message: 'is not UTF-8 with its other bytes as %XX',
    })
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem(400, 'invalid', { key: 'Content-Type', message: MEDIA_TYPES })
  if (error.statusCode && error.statusCode < 500)
    return new Problem(400, 'wrong_params', { message: error.message })
  return error
}

/** What a part of a path names: `/chats/:id` a chat, `/custom_properties/:id` a custom property. */
function nounBefore(route: string, name: string): string | undefined {
  const words = new RegExp(`/(\\w+)/:${name}(/|$)`).exec(route)?.[1]?.replaceAll('_', ' ')
  return words?.replace(/ies$/, 'y').replace(/s$/, '')
}

/** Says which thing is not there, where the path names it. */
function withMissingNamed(items: ApiErrorItem[], request: FastifyRequest): ApiErrorItem[] {
  const params = (request.params ?? {}) as Record<string, string>
  return items.map((item) => {
    if (item.message !== ERROR_MESSAGES.not_found) return item
    const noun = nounBefore(request.routeOptions.url ?? '', item.key)
    if (!noun) return item
    // Other parameters than ids are keys and tokens, which are not repeated.
    const which = /(^|_)id$/.test(item.key) ? params[item.key] : `of this ${item.key}`
    const message = `there is no ${noun} ${which}: it was deleted, or the ${item.key} is wrong`
    return { ...item, message }
  })
}

function challenge({ error, description, scope }: OAuthProblem): string {
  const scoped = scope ? `, scope="${scope}"` : ''
  return `Bearer error="${error}", error_description="${description.replaceAll('"', "'")}"${scoped}`
}

/** Sign-in is not explained: unknown callers get no details. */
function bodyOf({ errors, status }: Problem, request: FastifyRequest) {
  const known = request.caller?.token_id || isExplained(errors)
  const explanation = status < 500 && known ? explanationOf(errors) : undefined
  return { errors: withMissingNamed(errors, request), ...(explanation && { explanation }) }
}

/** The one place where a refusal becomes a status, headers and a body. */
export function replyProblem(
  { log, clock, disk }: Pick<Context, 'log' | 'clock' | 'disk'>,
  thrown: Error,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const error = translated(thrown)
  if (isDiskFull(thrown)) disk.full_at = clock.now()
  if (error instanceof TooMany) {
    reply.status(429).header('Retry-After', String(error.retry_after_s)).type('text/plain; charset=utf-8')
    reply.header('Parley-Rule', `limit.rate.${error.window}`)
    if (error.verdict) rateHeaders(reply, error.verdict)
    return reply.send('Too Many Requests')
  }
  if (error instanceof OAuthProblem) {
    reply.status(error.status).header('WWW-Authenticate', challenge(error))
    const { explanation } = error
    return reply.send({
      error: error.error,
      error_description: error.description,
      ...(explanation && { explanation }),
    })
  }
  if (error instanceof Problem) {
    if (error.status >= 500)
      log.warn({ request_id: request.id, err: thrown }, 'request failed; the client may retry')
    reply.status(error.status).headers(error.headers)
    return reply.send(bodyOf(error, request))
  }
  log.error(
    { request_id: request.id, method: request.method, path: pathOf(request), err: thrown },
    'request failed',
  )
  return reply.status(500).send({ errors: new Problem(500, 'unhandled').errors })
}
