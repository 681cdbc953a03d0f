import type { ServerResponse } from 'node:http'
import * as api from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { bearer, judgeProtection } from '../platform/http/admit.js'
import { type Routes, route } from '../platform/http/route.js'
import { sessionCookieOf } from '../platform/http/session-cookie.js'
import { Problem } from '../platform/problem.js'
import { listSeenIds } from '../search/look-up-queries.js'
import { createEphemeral } from './ephemeral.js'
import type { Listener } from './streams.js'

/** What may wait in memory for one connection; beyond it the connection is ended and comes back. */
const BUFFERED_AT_MOST = 1024 * 1024

function positionIn(header: string | string[] | undefined): number | null {
  if (header === undefined || header === '') return null
  const position = typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : Number.NaN
  if (Number.isNaN(position))
    throw new Problem(400, 'invalid', {
      key: 'Last-Event-ID',
      value: header,
      message: 'must be the id of an event of this stream',
    })
  return position
}

function startStream(reply: FastifyReply) {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
  })
  reply.raw.flushHeaders()
  return reply.raw
}

/** Resolves when the socket takes more, or is gone. */
function drained(raw: ServerResponse): Promise<void> {
  if (!raw.writableNeedDrain || raw.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      raw.off('drain', settle).off('close', settle)
      resolve()
    }
    raw.on('drain', settle).on('close', settle)
  })
}

export function liveRoutes(routes: Routes) {
  const { hub, board, startTyping } = createEphemeral(routes.ctx)
  routes.ctx.online.askFrom(() =>
    board.list().flatMap(({ user_id, presence }) => (presence === 'active' ? [user_id] : [])),
  )
  routes.ending.streams.push(() => {
    hub.close()
    board.close()
  })

  route(routes, api.openLive, async ({ ctx, actor, request, reply }) => {
    const after = positionIn(request.headers['last-event-id'])
    const { authorization } = request.headers
    const token = authorization ? bearer(authorization) : (sessionCookieOf(request) as string)
    const raw = startStream(reply)
    const listener: Listener = {
      actor,
      async check() {
        const now = await ctx.admission.identify(token, request.ip, actor.user_agent)
        judgeProtection(api.openLive, now.unprotected)
        return now
      },
      send(text) {
        raw.write(text)
        return raw.writableLength <= BUFFERED_AT_MOST
      },
      drained: () => drained(raw),
      end: () => raw.end(),
    }
    raw.once('close', hub.open(listener, after))
  })
  route(routes, api.listPresence, async ({ ctx, actor }) => {
    const online = board.list()
    const seen = await listSeenIds(
      ctx.db,
      actor,
      online.map(({ user_id }) => user_id),
    )
    return { data: online.filter(({ user_id }) => seen.has(user_id)) }
  })
  route(routes, api.setOwnPresence, async ({ actor, body }) => board.set(actor, body.presence))
  route(routes, api.sendTyping, ({ ctx, actor, params }) => startTyping(ctx, actor, params.id))
}
