import { auditHash } from '@parley/imports/audit-hash'
import { openAuditKey } from '../platform/audit/key.js'
import { updateSeals } from '../platform/audit/queries.js'
import type { Config } from '../platform/config.js'
import type { Context } from '../platform/context.js'
import type { Autocommit } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { loop, type Worker } from '../platform/worker.js'
import { sealOf } from './chain.js'
import {
  type Chain,
  findChain,
  type Link,
  listLinks,
  listUnsealed,
  lockChain,
  moveChain,
  tryLockChain,
} from './chain-queries.js'

const BATCH = 1000
/** Many rows are sealed together for little more than one. */
const REST_MS = 100

/** A chain from before there was a key stays without a seal until `adoptChain`: a removed seal is not replaced. */
function sealHead({ audit_key }: Context, chain: Chain, hashes: Buffer[]): Buffer | null {
  if (chain.head_seal === null && chain.head_position > 0) return null
  return hashes.reduce((seal: Buffer | null, hash) => sealOf(audit_key, seal, hash), chain.head_seal)
}

/** Seals an existing chain under the key from its first kept row on. */
export function adoptChain(db: Autocommit, key: Buffer): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockChain(tx)
    let seal: Buffer | null = null
    for (let after = 0, count = BATCH; count === BATCH; ) {
      const rows: Link[] = await listLinks(tx, after, BATCH)
      for (const { hash } of rows) seal = sealOf(key, seal, hash)
      after = rows.at(-1)?.position ?? after
      count = rows.length
    }
    await moveChain(tx, { anchor_seal: null, head_seal: seal })
  })
}

/** The key of the chain. A chain that has no seal yet gets one only together with the key itself. */
export async function openChainKey(db: Autocommit, config: Config): Promise<Buffer> {
  const { key, fresh } = await openAuditKey(config)
  if (fresh && (await findChain(db)).head_seal === null) await adoptChain(db, key)
  return key
}

/** Puts waiting rows at the end of the chain, in the order in which they were committed. */
export async function sealOnce(ctx: Context): Promise<number> {
  return transaction(ctx, async (tx) => {
    // One process at a time seals; the next one sees the whole of what this one wrote.
    if (!(await tryLockChain(tx))) return 0
    const waiting = await listUnsealed(tx, BATCH)
    if (waiting.length === 0) return 0
    const chain = await findChain(tx)
    let previous = chain.head_hash
    const before: Buffer[] = []
    const hashes = waiting.map((row, index) => {
      before.push(previous)
      previous = auditHash(previous, chain.head_position + index + 1, row)
      return previous
    })
    const positions = waiting.map((_, index) => chain.head_position + index + 1)
    await updateSeals(
      tx,
      waiting.map(({ id }) => id),
      positions,
      before,
      hashes,
    )
    const head_position = chain.head_position + waiting.length
    await moveChain(tx, { head_position, head_hash: previous, head_seal: sealHead(ctx, chain, hashes) })
    return waiting.length
  })
}

/** Seals what actions have written down, as soon as they have committed. */
export function startSealing(ctx: Context): Worker {
  return loop({
    name: 'sealing',
    every_ms: 1000,
    wake: (listener) => ctx.bell.on('events', listener),
    onError: (error) => ctx.log.warn({ err: error }, 'sealing the audit log failed; retrying'),
    step: () => sealOnce(ctx),
    rest: () => REST_MS,
  })
}
