import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../actor.js'
import type { Context } from '../context.js'
import { configOf } from './route-config.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once admitted. */
    caller?: Actor
  }
}

/** Asked every few seconds by programs that watch the server. */
const WATCHED = new Set(['/livez', '/readyz', '/metrics'])
/** Longer than any word of ours: a token, a signature or a key. */
const SECRET = /[^/]{20,}/g

/**
 * The path without its query and without secrets: of the parameters of an operation ids alone are shown, as others are
 * keys of inbound webhooks and tokens of invitations.
 */
export function pathOf(request: Pick<FastifyRequest, 'routeOptions' | 'params' | 'url'>): string {
  const pattern = request.routeOptions.url
  if (pattern === undefined) return (request.url.split('?', 1)[0] ?? '').replaceAll(SECRET, '…')
  const params = (request.params ?? {}) as Record<string, string>
  return pattern.replaceAll(/:(\w+)/g, (name, key) => {
    const value = params[key] ?? ''
    return /^\d{1,15}$/.test(value) ? value : name
  })
}

function callerOf({ caller }: FastifyRequest): string {
  if (!caller || caller.user_id === 0) return 'anonymous'
  return `${caller.role === 'bot' ? 'bot' : 'user'} ${caller.user_id}`
}

/** One line for each answered request, where the settings ask for it; those of watching programs at `debug`. */
export function logRequests(app: FastifyInstance, ctx: Context) {
  if (!ctx.config.log_requests) return
  app.decorateRequest('caller', undefined)
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const path = pathOf(request)
    const { operation } = configOf(request)
    const line = {
      request_id: request.id,
      method: request.method,
      path,
      operation,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      caller: callerOf(request),
      address: request.ip,
    }
    ctx.log[WATCHED.has(path) ? 'debug' : 'info'](line, 'request answered')
    done()
  })
}
