import type { Operation } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.js'
import { isTransient } from '../db/failures.js'
import { LATEST_MS, type Replicas } from '../db/replicas.js'
import type { Answer } from './idempotency.js'
import { cookieOf, setCookie } from './session-cookie.js'

/** Says how far the caller has written and read; a caller that sends it back never sees anything older than that. */
export const POSITION = 'Parley-Position'
const COOKIE = 'parley_position'
const PATTERN = /^\d{1,16}$/

interface Call {
  operation: Operation
  request: FastifyRequest
  reply: FastifyReply
  /** Tokens with limits read in a transaction of the primary. */
  limited: boolean
}

const comesByCookie = ({ headers }: FastifyRequest) => !headers.authorization

/**
 * The position that a caller has to see; undefined where that is not known. A browser keeps its cookie as long as a
 * replica may be late, so one without a cookie has written nothing that a replica could lack.
 */
function positionOf(request: FastifyRequest): number | undefined {
  const header = request.headers['parley-position']
  if (typeof header === 'string') return PATTERN.test(header) ? Number(header) : undefined
  if (!comesByCookie(request)) return undefined
  const cookie = cookieOf(request, COOKIE) ?? '0'
  return PATTERN.test(cookie) ? Number(cookie) : undefined
}

/** Tells where everything lies before that this answer speaks of. */
async function tellWritten(ctx: Context, replicas: Replicas, { request, reply }: Call) {
  if (reply.raw.headersSent) return
  const position = String(await replicas.written())
  reply.header(POSITION, position)
  if (comesByCookie(request))
    setCookie(ctx, reply, { name: COOKIE, value: position, path: '/', lifetime_s: LATEST_MS / 1000 })
}

/** Has a replica answer what may be a moment old, and the primary everything else. */
export function readOrWrite(
  ctx: Context,
  call: Call,
  run: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  const { replicas } = ctx
  const { method, mayLag } = call.operation
  return !replicas || (method === 'GET' && !mayLag) ? run(ctx) : readOrTell(ctx, replicas, call, run)
}

async function readOrTell(
  ctx: Context,
  replicas: Replicas,
  call: Call,
  run: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  const { operation, request, reply } = call
  const position = operation.mayLag && !call.limited ? positionOf(request) : undefined
  const replica = position === undefined ? undefined : replicas.at(position)
  if (replica) {
    try {
      const answer = await run({ ...ctx, ...replica.reading })
      ctx.metrics.replica_reads.inc()
      reply.header(POSITION, String(replica.position))
      return answer
    } catch (error) {
      if (!isTransient(error)) throw error
      replica.fail(error)
    }
  }
  const answer = await run(ctx)
  await tellWritten(ctx, replicas, call)
  return answer
}
