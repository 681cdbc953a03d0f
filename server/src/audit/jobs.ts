import { deleteSealed } from '../platform/audit/queries.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { DAY_MS, HOUR_MS } from '../platform/time.js'
import { sealOf, withHashes } from './chain.js'
import { findChain, findOldEnd, listSealed, moveChain } from './chain-queries.js'

const KEPT_DAYS = 90

/** Lets go of the oldest rows of the chain, up to the first that is young enough; the anchor remembers the last of them. */
async function letGo(ctx: Context): Promise<boolean> {
  const before = new Date(ctx.clock.now() - KEPT_DAYS * DAY_MS)
  return transaction(ctx, async (tx) => {
    const { anchor_position, anchor_seal, head_seal } = await findChain(tx)
    const rows = withHashes(await listSealed(tx, anchor_position))
    const end = await findOldEnd(tx, before, rows.at(-1)?.position ?? 0)
    const gone = rows.filter(({ position }) => end !== undefined && position <= end)
    const last = gone.at(-1)
    if (!last) return false
    await deleteSealed(tx, last.position)
    const seal =
      head_seal && gone.reduce((before, { hash }) => sealOf(ctx.audit_key, before, hash), anchor_seal)
    await moveChain(tx, { anchor_position: last.position, anchor_hash: last.hash, anchor_seal: seal })
    return gone.length === rows.length
  })
}

async function sweep(ctx: Context) {
  while (await letGo(ctx)) {}
}

export function auditJobs(ctx: Context) {
  return { 'audit.sweep': { every_ms: HOUR_MS, run: () => sweep(ctx) } } satisfies Partial<JobHandlers>
}
