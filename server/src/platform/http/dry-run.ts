import { canDryRun, type Operation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.js'
import { isTimedOut } from '../db/failures.js'
import type { Tx } from '../db/index.js'
import { transaction } from '../db/transaction.js'
import type { Bell } from '../events/bell.js'
import type { RelayedEvent } from '../events/relay.js'
import { Problem } from '../problem.js'
import { contextInside } from './context-inside.js'
import { checkConstraints, limitStatements, listOwnEvents, readSequences } from './dry-run-queries.js'
import type { Answer } from './idempotency.js'
import { maskAnswer } from './mask-answer.js'

export const DRY_RUN = 'Parley-Dry-Run'
/** A dry run holds the locks of the write it tries, so it may not take long. */
const STATEMENT_MS = 2_000

/** What the events of a tried write would bring about. */
export interface Would {
  deliveries: number
  notices: number
}
export type CountConsequences = (ctx: Context, tx: Tx, events: RelayedEvent[]) => Promise<Would>

/** Whether a write is to be tried only; refuses where that is impossible, because ignoring it would do the write. */
export function wantsDryRun(operation: Operation, request: FastifyRequest): boolean {
  const header = request.headers['parley-dry-run']
  if (header === undefined || operation.method === 'GET') return false
  if (!canDryRun(operation)) {
    const message = `${operation.id} has no dry run`
    throw new Problem(422, 'not_applicable', { key: DRY_RUN, message })
  }
  if (header !== 'true')
    throw new Problem(400, 'invalid', { key: DRY_RUN, value: header, message: 'must be true, or left out' })
  return true
}

const silent = (bell: Bell): Bell => ({ ...bell, ring() {}, pass() {} })

class RolledBack extends Error {
  constructor(
    readonly answer: Answer,
    readonly would: string,
  ) {
    super('rolled back')
  }
}

async function attempt(
  ctx: Context,
  tx: Tx,
  run: (ctx: Context) => Promise<Answer>,
  count: CountConsequences,
): Promise<never> {
  await limitStatements(tx, STATEMENT_MS)
  const before = await readSequences(tx)
  const inside = { ...contextInside(ctx, tx), bell: silent(ctx.bell) }
  const { status, body } = await run(inside)
  await checkConstraints(tx)
  const after = await readSequences(tx)
  const events = await listOwnEvents(tx, before.get('events_id_seq') ?? 0)
  // Readers compare positions; these events come after all that have one.
  const placed = events.map((event) => ({ ...event, position: Number.MAX_SAFE_INTEGER }))
  const { deliveries, notices } = await count(inside, tx, placed as unknown as RelayedEvent[])
  const text = body === null ? null : maskAnswer(body.toString(), status, before, after)
  throw new RolledBack(
    { status, body: text },
    `events=${events.length}; deliveries=${deliveries}; notices=${notices}`,
  )
}

/** Does a write in a transaction that is rolled back, and gives the answer with what it would have caused. */
export async function tryOut(
  ctx: Context,
  run: (ctx: Context) => Promise<Answer>,
  count: CountConsequences,
): Promise<{ answer: Answer; would: string }> {
  try {
    return await transaction(ctx, (tx) => attempt(ctx, tx, run, count))
  } catch (error) {
    if (error instanceof RolledBack) return error
    if (isTimedOut(error)) throw new Problem(503, 'service_unavailable', {}, { 'Retry-After': '1' })
    throw error
  }
}
