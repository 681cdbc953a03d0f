import type { MovableClock } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { postponeRecurring } from '../platform/jobs/recurring-queries.js'
import type { Worker } from '../platform/worker.js'
import { drainAll } from '../work.js'
import { type Due, findDue } from './due-queries.js'

/** All the time that one move of the clock waits for receivers that do not answer. */
const NETWORK_MS = 5_000
/** An answer within this time costs nothing of it. */
const QUICK_MS = 200
/** What is still due after so many rounds in which nothing was done is held by something else. */
const IDLE_ROUNDS = 3

/** Lets a worker do what is due; one that waits for the network is left to itself when the budget is used up. */
async function drainWithin(worker: Worker, budget: { left_ms: number }): Promise<number> {
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<number>((resolve) => {
    timer = setTimeout(() => resolve(0), budget.left_ms > 0 ? budget.left_ms + QUICK_MS : 0)
  })
  const done = await Promise.race([worker.drain(), late])
  clearTimeout(timer)
  const waited_ms = performance.now() - began - QUICK_MS
  budget.left_ms -= Math.max(0, Math.min(budget.left_ms, waited_ms))
  return done
}

type Walk = {
  ctx: Pick<Context, 'db' | 'autocommit'>
  workers: readonly Worker[]
  clock: MovableClock
}

/** Does what is due now and what comes of it; gives the time of what comes next. */
async function doDue({ ctx, workers, clock }: Walk, budget: { left_ms: number }): Promise<Date | null> {
  let idle = 0
  for (;;) {
    const due = await findDue(ctx.db, new Date(clock.now()))
    const wanted = workers.filter(({ name }) => due[name as keyof Due] === true)
    // A worker counts what it took itself. What its own timer took a moment before is awaited, but not counted.
    if (wanted.length === 0 || idle === IDLE_ROUNDS) return due.next_at
    let done = 0
    for (const worker of wanted)
      done += await (worker.name === 'deliveries' ? drainWithin(worker, budget) : worker.drain())
    idle = done === 0 ? idle + 1 : 0
  }
}

/**
 * Moves the clock forward over everything that becomes due on the way, each thing at its own time and in order.
 * Housekeeping runs once, at the end. What of it runs already is awaited: it would end at a later time than it began, and
 * so be due again only after the end.
 */
export async function walkTo(walk: Walk, target_ms: number) {
  const { ctx, workers, clock } = walk
  await workers.find(({ name }) => name === 'jobs')?.drain()
  await postponeRecurring(ctx.autocommit, new Date(target_ms))
  const budget = { left_ms: NETWORK_MS }
  for (;;) {
    const next = await doDue(walk, budget)
    if (!next || next.getTime() > target_ms) break
    clock.advance(next.getTime() - clock.now())
  }
  clock.advance(Math.max(0, target_ms - clock.now()))
  await doDue(walk, budget)
  await drainAll(workers.filter(({ name }) => name !== 'deliveries'))
  await doDue(walk, budget)
}
