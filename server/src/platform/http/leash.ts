import type { Operation, TokenLimits } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../actor.js'
import { now } from '../clock.js'
import type { Context } from '../context.js'
import { transaction } from '../db/transaction.js'
import { notifyPerson } from '../events/notice.js'
import { type Facts, Problem } from '../problem.js'
import { DAY_MS } from '../time.js'
import { askApproval, useApproval } from './approval-queries.js'
import { contextInside } from './context-inside.js'
import { type Answer, hashOf } from './idempotency.js'
import { confine, listSeenChats, returnWrite, takeWrite } from './leash-queries.js'
import { listNamedObjects } from './named-objects.js'

/** Allowed whatever the list of operations says: a program may always ask what its token is. */
const ALWAYS = 'getTokenInfo'
/** How long an approval, or the question for one, holds. */
export const APPROVAL_MS = DAY_MS

type LimitRule = Extract<keyof typeof import('@parley/contract').RULES, `token.limits.${string}`>

const isWrite = ({ method }: Operation) => method !== 'GET'
export const confinesChats = ({ chat_ids, chat_kinds }: TokenLimits) => (chat_ids ?? chat_kinds) !== undefined

function refused(rule: LimitRule, message: string, needs: Facts = {}): Problem {
  return new Problem(403, 'not_authorized', { rule, message: `The limits of the token: ${message}`, needs })
}

/** What the limits of a token say about an operation, before anything is looked at. */
export function judgeLimits(limits: TokenLimits, operation: Operation, request: FastifyRequest) {
  const { operations, read_only, dry_run_only } = limits
  if (operations && operation.id !== ALWAYS && !operations.includes(operation.id))
    throw refused('token.limits.operations', `${operation.id} is not among its operations`, { operations })
  if (confinesChats(limits) && operation.confined === false)
    throw refused('token.limits.chat_ids', `${operation.id} cannot be kept to some chats`)
  if (!isWrite(operation)) return
  if (read_only) throw refused('token.limits.read_only', 'it only reads')
  if (dry_run_only && request.headers['parley-dry-run'] !== 'true')
    throw refused('token.limits.dry_run_only', 'it writes with Parley-Dry-Run alone')
}

/** Refuses under limits on chats what an operation would do in chats that it does not see. */
export function ensureUnconfined({ confined }: Pick<Context, 'confined'>, what: string) {
  if (confined) throw refused('token.limits.chat_ids', `${what} cannot be kept to some chats`)
}

interface Call {
  ctx: Context
  actor: Actor
  operation: Operation
  request: FastifyRequest
  reply: FastifyReply
  body: unknown
}

/** Origins of forwarded messages that lie outside are left out. */
async function withoutOrigins(ctx: Context, answer: Answer): Promise<Answer> {
  const text = answer.body?.toString() ?? ''
  if (!text.includes('"original_chat_id"')) return answer
  const parsed = JSON.parse(text)
  const named = new Set([...text.matchAll(/"original_chat_id":(\d+)/g)].map(([, id]) => Number(id)))
  const seen = await listSeenChats(ctx.db, [...named])
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    const { original_chat_id } = value as { original_chat_id?: number }
    if (original_chat_id !== undefined && !seen.has(original_chat_id)) return null
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, strip(inner)]))
  }
  return { ...answer, body: JSON.stringify(strip(parsed)) }
}

type Run = (ctx: Context) => Promise<Answer>

/** Runs a handler in a transaction that sees the chats of the limits alone. */
function confined(limits: TokenLimits, run: Run): Run {
  return (own) =>
    transaction({ ...own, autocommit: own.tx ? own.autocommit : own.leashed }, async (tx) => {
      await confine(tx, limits)
      const inside = { ...contextInside(own, tx), confined: true as const }
      return withoutOrigins(inside, await run(inside))
    })
}

/** What a person approves: the request with what the files that it names hold now. */
async function requestHash({ ctx, request, body, operation }: Call): Promise<Buffer> {
  const objects = await listNamedObjects(ctx.storage, body)
  return hashOf([operation.id, request.params, request.url, body ?? null, ...objects])
}

/** Whether a person let this very request pass, once. */
function isApproved(call: Call, request_hash: Buffer): Promise<boolean> {
  const { ctx, actor } = call
  const since = new Date(ctx.clock.now() - APPROVAL_MS)
  return useApproval(ctx.autocommit, {
    token_id: actor.token_id as number,
    request_hash,
    since,
  })
}

async function waitsForApproval(call: Call, request_hash: Buffer): Promise<Problem> {
  const { ctx, actor, operation, request, body } = call
  const created_at = now(ctx.clock)
  const asked = {
    token_id: actor.token_id as number,
    operation: operation.id,
    request: { method: request.method, path: request.url, body: body ?? null },
    request_hash,
    created_at,
    since: new Date(created_at.getTime() - APPROVAL_MS),
  }
  // Apart from the request itself, which is undone.
  const { autocommit, bell } = ctx
  const asking = await transaction({ autocommit, bell }, async (tx) => {
    const question = await askApproval(tx, asked)
    if (!question?.made) return question
    const notice = { kind: 'token.approval', text: operation.summary, approval_id: question.id }
    await notifyPerson(tx, ctx, question.user_id, notice)
    return question
  })
  if (!asking) return refused('token.limits.approval', 'too many of its requests wait for a person')
  const { id, state } = asking
  const message =
    state === 'refused' ? 'a person refused this' : 'a person has to approve this; send it again then'
  return refused('token.limits.approval', message, { approval_id: id, approval: 'approved' })
}

/** The handler under the limits: in its chats, and with the approval of a person where they ask for it. */
function limited(limits: TokenLimits, call: Call, run: Run, tried: boolean): Run {
  const inChats = confinesChats(limits) ? confined(limits, run) : run
  if (!isWrite(call.operation) || tried || !limits.approval || limits.approval === 'none') return inChats
  return async (own) => {
    const hash = await requestHash(call)
    if (await isApproved(call, hash)) return limits.approval === 'outside' ? run(own) : inChats(own)
    if (limits.approval === 'writes') throw await waitsForApproval(call, hash)
    try {
      return await inChats(own)
    } catch (error) {
      if (error instanceof Problem && error.status === 404) throw await waitsForApproval(call, hash)
      throw error
    }
  }
}

/** Counts a write of the day around its handler; one that is refused does not count. */
function counted(limits: TokenLimits, { ctx, actor, reply }: Call, run: Run): Run {
  const { writes_per_day } = limits
  if (writes_per_day === undefined) return run
  const token_id = actor.token_id as number
  const day = now(ctx.clock).toISOString().slice(0, 10)
  return async (own) => {
    const writes = await takeWrite(ctx.autocommit, token_id, day, writes_per_day)
    reply.header('Parley-Writes-Left', String(writes_per_day - (writes ?? writes_per_day)))
    if (writes === undefined)
      throw refused('token.limits.writes_per_day', 'its writes of the day are used up', { writes_per_day })
    try {
      return await run(own)
    } catch (error) {
      await returnWrite(ctx.autocommit, token_id, day)
      reply.header('Parley-Writes-Left', String(writes_per_day - writes + 1))
      throw error
    }
  }
}

/** Puts everything that the limits of a token say around a handler. */
export function leash(limits: TokenLimits, call: Call, run: Run, tried: boolean): Run {
  const within = limited(limits, call, run, tried)
  return isWrite(call.operation) && !tried ? counted(limits, call, within) : within
}
