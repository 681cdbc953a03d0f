import { words } from '../../platform/i18n.js'
import { dlpWords } from '../../words/dlp.js'
import { findFaults } from '../find-faults.js'

function textOf(key: string, code: string): string {
  const dlp = dlpWords()
  if (code === 'already_exists') return dlp.priorityTaken
  if (code === 'blank') return words().settings.blank
  if (code === 'too_long') return dlp.tooLong
  if (key.endsWith('.pattern')) return dlp.wrongPattern
  if (key.endsWith('_hits')) return dlp.wrongHits
  return words().common.failed
}

/** Calls the server with a rule; null where it was taken, else what is wrong by the place in the rule. */
export const findRuleFaults = (run: () => Promise<unknown>) =>
  findFaults(run, (key, code) => [key, textOf(key, code)])
