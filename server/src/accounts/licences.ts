import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import { Problem } from '../platform/problem.js'

/** Refuses what this transaction did where it leaves more active employees than there are licences. */
export async function ensureLicences(tx: Tx) {
  // The row is locked so that two transactions cannot both take the last licence.
  const workspace = await tx
    .selectFrom('workspace')
    .select('licenses')
    .where('licenses', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!workspace) return
  const { rows } = await sql<{ taken: number }>`
    select count(*) as taken from users
    where deleted_at is null and not bot and not suspended and role <> 'guest'`.execute(tx)
  if ((rows[0]?.taken ?? 0) > (workspace.licenses ?? 0)) {
    throw new Problem(422, 'licenses_limit', { value: workspace.licenses })
  }
}
