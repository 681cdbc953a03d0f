import { sql } from 'kysely'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { loop, type Worker } from '../platform/worker.js'
import { type ChainRow, chainColumns, findChain, hashOf, moveChain } from './chain.js'

const LOCK = 7_310_543
const BATCH = 1000
/** Many rows are sealed together for little more than one. */
const REST_MS = 100

async function listUnsealed(tx: Tx): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select ${chainColumns} from audit_events where hash is null order by sequence limit ${BATCH}`.execute(tx)
  return rows
}

async function writeSeals(tx: Tx, ids: string[], positions: number[], before: Buffer[], hashes: Buffer[]) {
  await sql`
    update audit_events e set position = s.position, previous_hash = s.previous_hash, hash = s.hash
    from unnest(${ids}::uuid[], ${positions}::bigint[], ${before}::bytea[], ${hashes}::bytea[])
      as s (id, position, previous_hash, hash)
    where e.id = s.id`.execute(tx)
}

/** Puts waiting rows at the end of the chain, in the order in which they were committed. */
export async function sealOnce(ctx: Context): Promise<number> {
  return transaction(ctx, async (tx) => {
    // One process at a time seals; the next one sees the whole of what this one wrote.
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as mine`.execute(
      tx,
    )
    if (!rows[0]?.mine) return 0
    const waiting = await listUnsealed(tx)
    if (waiting.length === 0) return 0
    const chain = await findChain(tx)
    let previous = chain.head_hash
    const before: Buffer[] = []
    const hashes = waiting.map((row, index) => {
      before.push(previous)
      previous = hashOf(previous, chain.head_position + index + 1, row)
      return previous
    })
    const positions = waiting.map((_, index) => chain.head_position + index + 1)
    await writeSeals(
      tx,
      waiting.map(({ id }) => id),
      positions,
      before,
      hashes,
    )
    const head_position = chain.head_position + waiting.length
    await moveChain(tx, { head_position, head_hash: previous })
    return waiting.length
  })
}

/** Seals what actions have written down, as soon as they have committed. */
export function startSealing(ctx: Context): Worker {
  return loop({
    name: 'sealing',
    every_ms: 1000,
    wake: (listener) => ctx.bell.on('events', listener),
    onError: (error) => ctx.log.warn({ err: error }, 'sealing the audit log stumbled'),
    step: () => sealOnce(ctx),
    rest: () => REST_MS,
  })
}
