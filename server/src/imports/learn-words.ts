import type { ImportedMessage } from '../messages/import-queries.js'
import type { Run } from './run-state.js'

/** The pieces of these texts that search may not know yet. They are known once the transaction has committed. */
export function newsOf(run: Run, messages: readonly ImportedMessage[]): readonly string[] {
  const shown = messages.filter(({ system, deleted_at }) => !system && deleted_at === null)
  run.learning = [...new Set(shown.flatMap(({ content }) => run.words.newsIn(content)))]
  return run.learning
}

/** After a commit. */
export function keepNews(run: Run) {
  if (run.learning.length > 0) run.words.learn(run.learning.join(' '))
  run.learning = []
}
