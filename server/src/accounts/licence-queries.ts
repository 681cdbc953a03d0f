import { sql } from 'kysely'
import { read, type Tx } from '../platform/db/index.js'

/** How many licences there are, null where their number is not limited; held until the transaction ends. */
export async function lockLicences(tx: Tx): Promise<number | null> {
  const workspace = await tx
    .selectFrom('workspace')
    .select('licenses')
    .where('licenses', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return workspace?.licenses ?? null
}

/** People who need a licence. */
export async function countLicensed(tx: Tx): Promise<number> {
  const rows = await read(
    tx,
    sql<{ taken: number }>`
    select count(*) as taken from users
    where deleted_at is null and not bot and not suspended and role not in ('guest', 'multi_guest')`,
  )
  return rows[0]?.taken ?? 0
}
