import type { Context } from '../platform/context.js'
import type { PushAnswer, PushTarget } from './send-push.js'

const TEXT_AT_MOST = 300

/** Refusals that a retry does not change. */
function isFinal({ status }: PushAnswer): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 429 && status !== 408
}

/** Throws where the push is worth a retry. */
export function settle(ctx: Context, target: PushTarget, answer: PushAnswer) {
  if (answer.accepted) return
  const push_service = new URL(target.endpoint).host
  const reason = { subscription_id: target.id, push_service, status: answer.status, error: answer.error }
  if (isFinal(answer)) return ctx.log.warn(reason, 'push failed; not retried')
  throw new Error(`push failed: ${push_service} answered ${answer.status ?? answer.error}`)
}

/** Safari ends a subscription after three pushes that show nothing; there the open client alone takes them away. */
export function takesSilentPushes({ endpoint }: PushTarget): boolean {
  return !new URL(endpoint).host.endsWith('.push.apple.com')
}

/** A push has room for 4 kB. */
export function shorten(text: string): string {
  const characters = [...text]
  return characters.length > TEXT_AT_MOST ? `${characters.slice(0, TEXT_AT_MOST - 1).join('')}…` : text
}
