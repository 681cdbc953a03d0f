import { ApiFailure } from '../../platform/api.js'
import { words } from '../../platform/i18n.js'
import { refusalText } from '../../platform/refusal.js'
import { toast } from '../../ui/toast.js'
import { dlpWords } from '../../words/dlp.js'

/** What is wrong, by the place in the rule that the server names. */
export type Faults = Readonly<Record<string, string>>

function textOf(key: string, code: string): string {
  const dlp = dlpWords()
  if (code === 'already_exists') return dlp.priorityTaken
  if (code === 'blank') return words().settings.blank
  if (code === 'too_long') return dlp.tooLong
  if (key.endsWith('.pattern')) return dlp.wrongPattern
  if (key.endsWith('_hits')) return dlp.wrongHits
  return words().common.failed
}

/** Calls the server with a rule; null where it was taken. A failure that names no field is told in a toast. */
export async function findFaults(run: () => Promise<unknown>): Promise<Faults | null> {
  try {
    await run()
    return null
  } catch (error) {
    const faults = error instanceof ApiFailure ? error.faults : []
    const named = faults.flatMap(({ key, code }) => (key ? [[key, textOf(key, code)] as const] : []))
    if (named.length === 0) toast(refusalText(error), { look: 'bad' })
    return Object.fromEntries(named)
  }
}
