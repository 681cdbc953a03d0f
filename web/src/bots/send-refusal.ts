import { ApiFailure } from '../platform/api.js'
import { refusalText } from '../platform/refusal.js'
import { botWords } from '../words/bots.js'

/** Says why nothing can be sent to the bot. */
export function sendRefusal(error: unknown): string {
  const nowhere = error instanceof ApiFailure && error.code === 'not_applicable'
  return nowhere ? botWords().noAddress : refusalText(error)
}
