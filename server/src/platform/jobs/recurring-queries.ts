import { sql } from 'kysely'
import type { Autocommit } from '../db/index.js'

/** Lets every recurring job wait until then: a clock that jumps would run it for every hour that is left out. */
export async function postponeRecurring(autocommit: Autocommit, until: Date) {
  await sql`update jobs set run_at = greatest(run_at, ${until}) where key like 'every:%'`.execute(autocommit)
}
