import type { Tx } from '../platform/db/index.js'
import { Problem } from '../platform/problem.js'
import { countLicensed, lockLicences } from './licence-queries.js'

/** Refuses what this transaction did where it leaves more active employees than there are licences. */
export async function ensureLicences(tx: Tx) {
  // Locked so that two transactions cannot both take the last licence.
  const licences = await lockLicences(tx)
  if (licences === null || (await countLicensed(tx)) <= licences) return
  const message = `all ${licences} licences are taken: suspend somebody, or raise PARLEY_LICENSES`
  throw new Problem(422, 'licenses_limit', { value: licences, message })
}
