import { ApiFailure } from '../platform/api.js'
import { refusalText } from '../platform/refusal.js'
import { toast } from '../ui/toast.js'

/** What is wrong, by the field that the server names. */
export type Faults = Readonly<Record<string, string>>

/** The field of a fault and its text; null for a fault of no field. */
type TellFault = (key: string, code: string) => readonly [string, string] | null

/** Runs a call; null where it succeeded, else what is wrong by field. A failure that names no field is told in a toast. */
export async function findFaults(run: () => Promise<unknown>, tell: TellFault): Promise<Faults | null> {
  try {
    await run()
    return null
  } catch (error) {
    const faults = error instanceof ApiFailure ? error.faults : []
    const named = faults.flatMap(({ key, code }) => {
      const told = key ? tell(key, code) : null
      return told ? [told] : []
    })
    if (named.length === 0) toast(refusalText(error), { look: 'bad' })
    return Object.fromEntries(named)
  }
}
