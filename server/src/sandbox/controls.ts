import type { FirstStart } from '../accounts/bootstrap.js'
import { outboxFolder } from '../open-context.js'
import type { MovableClock } from '../platform/clock.js'
import { createOutboxMail } from '../platform/mail/outbox.js'
import { resetServer } from '../reset.js'
import type { RunningServer } from '../serve.js'
import { waitForDirect } from '../webhooks/send-now.js'
import { drainAll } from '../work.js'
import { walkTo } from './clock.js'
import { listContents } from './contents-queries.js'
import type { SandboxControls } from './routes.js'

/** What the control API of a sandbox does, on the server that runs in it. */
export function controlsOf(server: () => RunningServer, clock: MovableClock): SandboxControls {
  /** One move or reset at a time: both are in the way of the workers and of the clock. */
  let changing: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const changed = changing.then(change)
    changing = changed.catch(() => {})
    return changed
  }
  const now = () => new Date(clock.now())
  const settle = () => drainAll(server().workers)
  async function moveOnce({ advance_s = 0, set, freeze }: Parameters<SandboxControls['move']>[0]) {
    if (freeze !== undefined) clock.freeze(freeze)
    const target_ms = set ? set.getTime() : clock.now() + advance_s * 1000
    // Between the steps the clock does not move, so that each thing happens at its own time to the millisecond.
    const frozen = clock.isFrozen()
    clock.freeze(true)
    try {
      await walkTo({ ctx: server().ctx, workers: server().workers, clock }, target_ms)
    } finally {
      clock.freeze(frozen)
    }
    return now()
  }

  async function resetOnce() {
    const { workers, firstStart } = server()
    await settle()
    await resetServer(server(), clock)
    for (const worker of workers) worker.start()
    const { owner_id, token } = firstStart as FirstStart
    return { owner_id, owner_token: token }
  }

  return {
    now,
    async settle() {
      await waitForDirect(server().ctx)
      await settle()
    },
    move: (change) => inTurn(() => moveOnce(change)),
    contents: () => listContents(server().ctx, (server().firstStart as FirstStart).owner_id),
    setLimits: (enabled) => server().ctx.rates.setEnabled(enabled),
    setFault: (fault) => server().ctx.faults.set(fault),
    async mail() {
      const { ctx } = server()
      const sent = await createOutboxMail({ folder: outboxFolder(ctx.config), clock }).list()
      return sent.map(({ to, subject, text, at }) => ({ to, subject, text, at: at.toISOString() }))
    },
    reset: () => inTurn(resetOnce),
  }
}
