import { verifyAudit } from '../audit/verify.js'
import { openDb, openPool } from '../platform/db/index.js'

/** Walks the audit chain of a database, and counts the records that are not in it yet. */
export async function verifyAuditLog(url: string) {
  const db = openDb(openPool({ url, size: 1, onError: () => {} }))
  try {
    const { unsealed } = await db
      .selectFrom('audit_events')
      .select((eb) => eb.fn.countAll<number>().as('unsealed'))
      .where('hash', 'is', null)
      .executeTakeFirstOrThrow()
    return { ...(await verifyAudit(db)), unsealed }
  } finally {
    await db.destroy()
  }
}
