import type { Context } from '../platform/context.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { MINUTE_MS } from '../platform/time.js'
import { deleteOldChanges } from './kept-queries.js'
import { deleteUnusedWords, listWordsAfter, markUnusedWords } from './word-queries.js'

const AT_ONCE = 500
const ROUNDS = 10
/** Longer than any process remembers that a word is in the list. */
const LEAVING_MS = 2 * 60 * MINUTE_MS

/** A process that was not searched in while more happened forgets all that it kept. */
const CHANGES_LEFT = 10_000

/** Goes on through the list of words from where the last run ended, and takes out what no message has any more. */
export function searchJobs({ autocommit, clock }: Context) {
  let last = ''
  async function forgetWords() {
    while ((await deleteUnusedWords(autocommit, new Date(clock.now() - LEAVING_MS), AT_ONCE)) > 0);
    for (let round = 0; round < ROUNDS; round += 1) {
      const words = await listWordsAfter(autocommit, last, AT_ONCE)
      await markUnusedWords(autocommit, words, new Date(clock.now()))
      last = words.length < AT_ONCE ? '' : (words.at(-1) as string)
      if (last === '') return
    }
  }
  return {
    'search.forget_changes': {
      every_ms: 10 * MINUTE_MS,
      run: () => deleteOldChanges(autocommit, CHANGES_LEFT),
    },
    'search.forget_words': { every_ms: 10 * MINUTE_MS, run: forgetWords },
  } satisfies Partial<JobHandlers>
}
