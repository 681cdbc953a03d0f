import { type AuditRow, auditHash } from '@parley/imports/audit-hash'
import { openAuditKey } from '../platform/audit/key.js'
import { deleteWaiting, insertBlock, type SealedBlock, updateSeals } from '../platform/audit/queries.js'
import type { Config } from '../platform/config.js'
import type { Context } from '../platform/context.js'
import type { Autocommit, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { inTurns } from '../platform/in-turns.js'
import { loop, type Worker } from '../platform/worker.js'
import { readChain, sealOf, withHashes } from './chain.js'
import {
  type Chain,
  findChain,
  hasUnsealed,
  listUnsealed,
  lockChain,
  moveChain,
  tryLockChain,
} from './chain-queries.js'
import { unpackWaiting } from './waiting.js'

const BATCH = 1000
/** Many records are sealed together for little more than one, and those of messages share a row. */
export const SEALING_RESTS_MS = 5000
/** A step that sealed this many has left others behind: as many as a block holds, less the last batch of messages, which did not fit. */
const FULL = BATCH - 100

/** Hashing so many records takes about a millisecond. */
const EACH_TURN = 64
/** Where much waits, sealing takes a quarter of the time at most. */
const RESTS_FOR_EACH_MS = 3

/** A chain from before there was a key stays without a seal until `adoptChain`: a removed seal is not replaced. */
async function sealHead({ audit_key }: Context, chain: Chain, hashes: Buffer[]): Promise<Buffer | null> {
  if (chain.head_seal === null && chain.head_position > 0) return null
  let seal = chain.head_seal
  await inTurns(hashes, EACH_TURN, (hash) => {
    seal = sealOf(audit_key, seal, hash)
  })
  return seal
}

/** Seals an existing chain under the key from its first kept row on. */
export function adoptChain(db: Autocommit, key: Buffer): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockChain(tx)
    let seal: Buffer | null = null
    for await (const rows of readChain(tx, 0)) {
      for (const { hash } of withHashes(rows)) seal = sealOf(key, seal, hash)
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

/** The end of the chain while records are added to it. */
interface End {
  position: number
  hash: Buffer
  /** Of the records that were added. */
  hashes: Buffer[]
}

function append(end: End, row: AuditRow): Buffer {
  end.position += 1
  end.hash = auditHash(end.hash, end.position, row)
  end.hashes.push(end.hash)
  return end.hash
}

/** Puts the records of messages at the end, in blocks of one bucket each. */
async function sealMessages(tx: Tx, end: End) {
  const blocks: SealedBlock[] = []
  await inTurns(unpackWaiting(await deleteWaiting(tx)), EACH_TURN, (record) => {
    let block = blocks.at(-1)
    if (block?.bucket.getTime() !== record.bucket.getTime()) {
      const { bucket } = record
      block = { ...end, bucket, first_position: end.position + 1, previous_hash: end.hash, records: [] }
      blocks.push(block)
    }
    block.hash = append(end, record)
    block.position = end.position
    block.records.push(record)
  })
  for (const block of blocks) await insertBlock(tx, block)
}

/** Puts all other records there, each as a row. */
async function sealRows(tx: Tx, end: End) {
  const rows = await listUnsealed(tx, BATCH)
  if (rows.length === 0) return
  const sealed = rows.map((row) => ({ before: end.hash, hash: append(end, row), position: end.position }))
  await updateSeals(
    tx,
    rows.map(({ id }) => id),
    sealed.map(({ position }) => position),
    sealed.map(({ before }) => before),
    sealed.map(({ hash }) => hash),
  )
}

/** Puts waiting records at the end of the chain, and says how many. */
export async function sealOnce(ctx: Context): Promise<number> {
  if (!(await hasUnsealed(ctx.db))) return 0
  return transaction(ctx, async (tx) => {
    // One process at a time seals; the next one sees the whole of what this one wrote.
    if (!(await tryLockChain(tx))) return 0
    const chain = await findChain(tx)
    const end: End = { position: chain.head_position, hash: chain.head_hash, hashes: [] }
    // Messages come first: what was done to them in the same second follows.
    await sealMessages(tx, end)
    await sealRows(tx, end)
    if (end.hashes.length === 0) return 0
    const head_seal = await sealHead(ctx, chain, end.hashes)
    await moveChain(tx, { head_position: end.position, head_hash: end.hash, head_seal })
    return end.hashes.length
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
    rest: (took_ms, _steps, sealed) => (sealed < FULL ? SEALING_RESTS_MS : took_ms * RESTS_FOR_EACH_MS),
    finishes: true,
  })
}
