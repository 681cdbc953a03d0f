import { auditHash } from '@parley/imports/audit-hash'
import type { Autocommit, Tx } from '../platform/db/index.js'
import { readChain, sealOf } from './chain.js'
import { type Chain, type ChainRow, findChain } from './chain-queries.js'

export type AuditVerdict =
  | { whole: true; checked: number; first_position: number; last_position: number; head?: string }
  | { whole: false; checked: number; position: number; fault: AuditFault }

/** What is wrong at the place where the chain breaks. */
export type AuditFault =
  | 'row changed'
  | 'row missing'
  | 'row added'
  | 'head not sealed'
  | 'head does not fit the key'

export interface VerifyOptions {
  /** With the key the ends of the chain are checked too. */
  key?: Buffer
  /** What an earlier check printed: the chain must still run through it. */
  head?: string
}

interface Walk {
  position: number
  hash: Buffer
  seal: Buffer | null
  checked: number
}

/** Where a chain ends, in a form to keep elsewhere: the position, and the seal of the row there. */
function headOf({ position, seal }: Walk): string {
  return `${position}-${seal?.toString('hex') ?? ''}`
}

/** Inside a block hashes are not stored: a changed record is seen at the end of its block. */
function fits({ in_block }: ChainRow, stored: Buffer | null, hash: Buffer): boolean {
  return stored === null ? in_block : stored.equals(hash)
}

function step(walk: Walk, row: ChainRow, head: number, options: VerifyOptions): AuditFault | undefined {
  const expected = walk.position + 1
  if (row.position !== expected) return (row.position as number) < expected ? 'row added' : 'row missing'
  if (expected > head) return 'row added'
  const hash = auditHash(walk.hash, expected, row)
  if (!fits(row, row.previous_hash, walk.hash) || !fits(row, row.hash, hash)) return 'row changed'
  walk.position = expected
  walk.hash = hash
  walk.checked += 1
  if (options.key) walk.seal = sealOf(options.key, walk.seal, hash)
  if (Number.parseInt(options.head ?? '', 10) === expected && options.head !== headOf(walk))
    return 'row changed'
  return undefined
}

function faultOfHead(walk: Walk, stored: Buffer | null): AuditFault | undefined {
  if (walk.position === 0) return undefined
  if (stored === null) return 'head not sealed'
  return walk.seal?.equals(stored) ? undefined : 'head does not fit the key'
}

const broken = (walk: Walk, position: number, fault: AuditFault): AuditVerdict => ({
  whole: false,
  checked: walk.checked,
  position,
  fault,
})

/** Goes through the rows up to the end; the verdict where one of them does not fit. */
async function walkRows(
  tx: Tx,
  walk: Walk,
  { head_position }: Chain,
  options: VerifyOptions,
): Promise<AuditVerdict | undefined> {
  for await (const rows of readChain(tx, Number.MIN_SAFE_INTEGER)) {
    for (const row of rows) {
      const fault = step(walk, row, head_position, options)
      if (fault)
        return broken(walk, fault === 'row missing' ? walk.position + 1 : Number(row.position), fault)
    }
  }
  return undefined
}

/** What is wrong with the end of a chain whose rows fit. */
function faultOfEnd(walk: Walk, chain: Chain, { key, head }: VerifyOptions): AuditVerdict | undefined {
  if (walk.position !== chain.head_position) return broken(walk, walk.position + 1, 'row missing')
  if (!walk.hash.equals(chain.head_hash)) return broken(walk, walk.position, 'row changed')
  if (Number.parseInt(head ?? '', 10) > walk.position) return broken(walk, walk.position + 1, 'row missing')
  const fault = key && faultOfHead(walk, chain.head_seal)
  return fault && broken(walk, walk.position, fault)
}

/**
 * Walks the sealed chain from the first kept row to the last and says where it breaks first. It reads one snapshot,
 * a batch at a time, so that sealing and retention may go on and any length fits in the same memory.
 */
export function verifyAudit(db: Autocommit, options: VerifyOptions = {}): Promise<AuditVerdict> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const chain = await findChain(tx)
      const { anchor_position, anchor_hash, anchor_seal } = chain
      const walk: Walk = { position: anchor_position, hash: anchor_hash, seal: anchor_seal, checked: 0 }
      const fault = (await walkRows(tx, walk, chain, options)) ?? faultOfEnd(walk, chain, options)
      if (fault) return fault
      return {
        whole: true,
        checked: walk.checked,
        first_position: anchor_position + 1,
        last_position: walk.position,
        ...(options.key && { head: headOf(walk) }),
      }
    })
}
