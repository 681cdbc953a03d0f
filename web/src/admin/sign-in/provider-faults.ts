import { words } from '../../platform/i18n.js'
import { signInWords } from '../../words/sign-in.js'
import { findFaults } from '../find-faults.js'

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

/** Runs a call; null where it succeeded, else what is wrong by field. */
export const findProviderFaults = (run: () => Promise<unknown>) =>
  findFaults(run, (key, code) => {
    if (key === 'base') return null
    return [key.startsWith('group_rules') ? 'group_rules' : key, textOf(key, code)]
  })
