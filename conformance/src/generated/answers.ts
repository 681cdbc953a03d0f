import type { Law } from '../law.js'
import { lawOf, SERVED } from './callers.js'

/** Judged when the run is over, by every answer that was heard. */
export const answerLaws: readonly Law[] = SERVED.map((operation) =>
  lawOf({
    name: 'answer',
    rule: `Every answer of ${operation.id} has a status, headers, a shape and error codes that the contract declares.`,
    operation,
    run: async () => undefined,
  }),
)
