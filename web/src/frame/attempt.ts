import { refusalText } from '../platform/refusal.js'
import { toast } from '../ui/toast.js'

/** Says that something failed, and why. */
export function sayFailure(error: unknown) {
  toast(refusalText(error), { look: 'bad' })
}

/** Does something for the person and says so when it fails; true when it worked. */
export async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    sayFailure(error)
    return false
  }
}
