import type { DeliveryAttempt } from '@parley/contract'
import { botWords } from '../words/bots.js'

type Failure = Pick<DeliveryAttempt, 'error' | 'error_code'>

/** Of these the system tells more, such as the number of an error, which stays as it is. */
const DETAILED: ReadonlySet<DeliveryAttempt['error_code']> = new Set(['connect', 'tls', 'protocol'])

/** Why a request to a bot got no answer. A code that this client does not know yet is told as the server says it. */
export function errorText({ error, error_code }: Failure): string {
  const bots = botWords()
  const text = error_code && bots.deliveryErrors[error_code]
  if (!text || !error) return error ?? bots.noAnswer
  return DETAILED.has(error_code) ? `${text} (${error.slice(error_code.length + 2)})` : text
}
