import { type ArchivedRow, listArchived } from '../audit/archive-queries.js'
import { countUnsealed } from '../audit/chain-queries.js'
import { adoptChain } from '../audit/seal.js'
import { verifyAudit } from '../audit/verify.js'
import { findAuditKey, openAuditKey } from '../platform/audit/key.js'
import type { Config } from '../platform/config.js'
import { openDb, openPool } from '../platform/db/index.js'
import { OperatorError } from './errors.js'

/** Walks the audit chain of a database, and counts the records that are not in it yet. */
export async function verifyAuditLog(config: Config, url: string, head?: string) {
  const key = await findAuditKey(config)
  if (!key)
    throw new OperatorError(
      `There is no audit.key in ${config.data_dir}: name the data folder with --data-dir, set PARLEY_AUDIT_KEY, or seal the chain anew with parley audit seal.`,
    )
  const db = openDb(openPool({ url, size: 1, onError: () => {} }))
  try {
    const unsealed = await countUnsealed(db)
    return { ...(await verifyAudit(db, { key, head })), unsealed }
  } finally {
    await db.destroy()
  }
}

const AT_ONCE = 1000

/** The audit logs of other servers, which came with portable files, oldest record first. */
export async function* archivedAudit(url: string): AsyncGenerator<ArchivedRow> {
  const db = openDb(openPool({ url, size: 1, onError: () => {} }))
  try {
    let last: Pick<ArchivedRow, 'workspace' | 'position'> | undefined = { workspace: '', position: -1 }
    while (last) {
      const rows: ArchivedRow[] = await listArchived(db, last, AT_ONCE)
      yield* rows
      last = rows.at(-1)
    }
  } finally {
    await db.destroy()
  }
}

/** Seals the chain of a database under the key of this server, after a key was lost or first given. */
export async function sealAuditLog(config: Config, url: string) {
  const { key } = await openAuditKey(config)
  const db = openDb(openPool({ url, size: 1, onError: () => {} }))
  try {
    const verdict = await verifyAudit(db)
    if (verdict.whole) await adoptChain(db, key)
    return verdict
  } finally {
    await db.destroy()
  }
}
