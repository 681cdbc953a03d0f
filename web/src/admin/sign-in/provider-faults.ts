import { ApiFailure } from '../../platform/api.js'
import { words } from '../../platform/i18n.js'
import { refusalText } from '../../platform/refusal.js'
import { toast } from '../../ui/toast.js'
import { signInWords } from '../../words/sign-in.js'

export type Faults = Readonly<Record<string, string>>

function textOf(key: string, code: string): string {
  const { wrong } = signInWords()
  if (code === 'blank') return words().settings.blank
  if (key === 'slug') return code === 'already_exists' ? wrong.taken : wrong.slug
  if (key === 'issuer') return wrong.issuer
  if (key === 'allowed_domains') return wrong.domains
  if (key.startsWith('group_rules')) return wrong.tag
  if (key === 'enabled') return wrong.last
  return words().common.failed
}

/** Runs a call; null where it succeeded, else what is wrong by field. What names no field is told in a toast. */
export async function findFaults(run: () => Promise<unknown>): Promise<Faults | null> {
  try {
    await run()
    return null
  } catch (error) {
    const faults = error instanceof ApiFailure ? error.faults : []
    const named = faults.flatMap(({ key, code }) =>
      key && key !== 'base'
        ? [[key.startsWith('group_rules') ? 'group_rules' : key, textOf(key, code)] as const]
        : [],
    )
    if (named.length === 0) toast(refusalText(error), { look: 'bad' })
    return Object.fromEntries(named)
  }
}
