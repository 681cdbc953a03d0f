import type { FastifyRequest } from 'fastify'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { explanationOf, OAuthProblem, Problem } from '../platform/problem.js'
import { MINUTE_MS } from '../platform/time.js'
import { insertRefusal } from './queries.js'

const NOTED = new Set([403, 404, 409, 422])
const PER_MINUTE = 100

export type NoteRefusal = (request: FastifyRequest, error: Error) => Promise<void>

/** Counts what is noted of each rule, so that a program in a loop does not fill the table. */
function createSample(ctx: Context) {
  let minute = 0
  const counts = new Map<string, number>()
  ctx.resets.add(() => counts.clear())
  return (rule: string): boolean => {
    const current = Math.floor(ctx.clock.now() / MINUTE_MS)
    if (current !== minute) counts.clear()
    minute = current
    const count = (counts.get(rule) ?? 0) + 1
    counts.set(rule, count)
    return count <= PER_MINUTE
  }
}

function factsOf(error: Error) {
  if (error instanceof OAuthProblem)
    return { status: error.status, code: error.error, explanation: error.explanation, record: undefined }
  if (!(error instanceof Problem)) return undefined
  const payload = error.errors[0]?.payload
  const record = payload && 'record' in payload ? payload.record : undefined
  return { status: error.status, code: error.code, explanation: explanationOf(error.errors), record }
}

/** Notes refused requests of tokens, for those in charge. A refusal that cannot be noted is answered all the same. */
export function createRefusalLog(ctx: Context): NoteRefusal {
  const isSampled = createSample(ctx)
  return async ({ caller, id, routeOptions }, error) => {
    const facts = factsOf(error)
    const { operation } = (routeOptions.config ?? {}) as { operation?: string }
    if (!caller?.token_id || caller.token_kind === 'session' || !operation) return
    if (!facts?.explanation || !NOTED.has(facts.status) || !isSampled(facts.explanation.rule)) return
    const { rule, needs, has } = facts.explanation
    const { status, code, record } = facts
    try {
      await insertRefusal(ctx.autocommit, {
        request_id: id,
        created_at: now(ctx.clock),
        operation,
        status,
        code,
        rule,
        needs: JSON.stringify(needs),
        has: JSON.stringify(has),
        object_type: record?.type ?? null,
        object_id: record?.id ?? null,
        user_id: caller.user_id,
        token_id: caller.token_id,
      })
    } catch (err) {
      ctx.log.warn({ err, request_id: id }, 'refusal not noted')
    }
  }
}
