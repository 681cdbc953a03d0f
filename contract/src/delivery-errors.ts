import type { Static } from 'typebox'
import { Enum, Nullable } from './shapes.js'

/** Why an attempt got no answer; texts of `error` begin with it. */
const DELIVERY_ERRORS = [
  'unreachable',
  'invalid_url',
  'connect',
  'timeout',
  'reset',
  'tls',
  'protocol',
  'unsigned',
  'paused',
] as const

export const DeliveryErrorCode = Nullable(Enum(DELIVERY_ERRORS), {
  description: 'The error as a code, for clients with words of their own; null where no code tells it.',
})
export type DeliveryErrorCode = Static<typeof DeliveryErrorCode>

/** The code that a text of `error` begins with; null for another text. */
export function deliveryErrorOf(error: string | null): DeliveryErrorCode {
  return DELIVERY_ERRORS.find((code) => error?.startsWith(`${code}: `)) ?? null
}
