import type { ServerResponse } from 'node:http'
import * as api from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { bearer, judgeProtection } from '../platform/http/admit.js'
import { type Routes, route } from '../platform/http/route.js'
import { sessionCookieOf } from '../platform/http/session-cookie.js'
import { Problem } from '../platform/problem.js'
import { listSeenIds } from '../search/look-up-queries.js'
import type { Chunk } from './chunk.js'
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

/**
 * Writes past the response, which would encode and frame the same bytes for each of a thousand streams. It has no socket
 * while an earlier request of the connection is answered, and old clients take no chunks.
 */
function write(raw: ServerResponse, { bytes, framed }: Chunk) {
  if (raw.socket && raw.chunkedEncoding) raw.socket.write(framed)
  else raw.write(bytes)
}

/** Resolves when the socket takes more, or is gone. */
function drained({ socket }: ServerResponse): Promise<void> {
  if (!socket?.writableNeedDrain || socket.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      socket.off('drain', settle).off('close', settle)
      resolve()
    }
    socket.on('drain', settle).on('close', settle)
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
      send(chunk) {
        if (!raw.writableEnded) write(raw, chunk)
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
