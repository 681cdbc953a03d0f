import { sql } from 'kysely'
import type { Db } from '../platform/db/index.js'
import { type ChainRow, chainColumns, findChain, hashOf } from './chain.js'

const BATCH = 1000

export type AuditVerdict =
  | { whole: true; checked: number; first_position: number; last_position: number }
  | { whole: false; checked: number; position: number; fault: AuditFault }

/** What is wrong at the place where the chain breaks. */
export type AuditFault = 'row changed' | 'row missing' | 'row added'

async function listSealed(db: Db, after: number): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select ${chainColumns} from audit_events where position > ${after} order by position limit ${BATCH}`.execute(
    db,
  )
  return rows
}

interface Walk {
  position: number
  hash: Buffer
  checked: number
}

function step(walk: Walk, row: ChainRow, head: number): AuditFault | undefined {
  const expected = walk.position + 1
  if (row.position !== expected) return (row.position as number) < expected ? 'row added' : 'row missing'
  if (expected > head) return 'row added'
  const hash = hashOf(walk.hash, expected, row)
  if (!row.previous_hash?.equals(walk.hash) || !row.hash?.equals(hash)) return 'row changed'
  walk.position = expected
  walk.hash = hash
  walk.checked += 1
  return undefined
}

/**
 * Walks the sealed chain from the first kept row to the last and says where it breaks first. It reads one snapshot,
 * a batch at a time, so that sealing and retention may go on and any length fits in the same memory.
 */
export function verifyAudit(db: Db): Promise<AuditVerdict> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const chain = await findChain(tx)
      const walk: Walk = { position: chain.anchor_position, hash: chain.anchor_hash, checked: 0 }
      const broken = (position: number, fault: AuditFault): AuditVerdict => ({
        whole: false,
        checked: walk.checked,
        position,
        fault,
      })
      for (let after = Number.MIN_SAFE_INTEGER; ; ) {
        const rows = await listSealed(tx, after)
        for (const row of rows) {
          const fault = step(walk, row, chain.head_position)
          if (fault) return broken(fault === 'row missing' ? walk.position + 1 : Number(row.position), fault)
        }
        if (rows.length < BATCH) break
        after = walk.position
      }
      if (walk.position !== chain.head_position) return broken(walk.position + 1, 'row missing')
      if (!walk.hash.equals(chain.head_hash)) return broken(walk.position, 'row changed')
      return {
        whole: true,
        checked: walk.checked,
        first_position: chain.anchor_position + 1,
        last_position: walk.position,
      }
    })
}
