import type { BotOptions, FormErrors } from './bot.js'
import type { BotEvent } from './bot-events.js'
import { InvalidSignature } from './errors.js'
import { headerOf, verifyWebhook, type WebhookRequest } from './verify-webhook.js'

/** What to answer to a webhook. */
export interface Received {
  status: number
  body: string
}

/** Webhooks that came before and are not handled again. */
const REMEMBERED = 1000

async function answer(handled: Promise<FormErrors | undefined>): Promise<Received> {
  const wrong = await handled
  return wrong?.errors ? { status: 400, body: JSON.stringify(wrong) } : { status: 200, body: '{}' }
}

/** Checks the signature, calls the handlers once for each webhook id, and says what to answer. */
export function receive(
  handle: (event: BotEvent) => Promise<FormErrors | undefined>,
  options: () => BotOptions,
  onError: (error: unknown, event?: BotEvent) => void,
) {
  /** By webhook id: a repeat that comes while the first is being handled waits for it. */
  const known = new Map<string, Promise<Received>>()

  function handleOnce(id: string, event: BotEvent): Promise<Received> {
    const before = known.get(id)
    if (before) return before
    const answered = answer(handle(event)).catch((error) => {
      // The next attempt is handled again.
      known.delete(id)
      onError(error, event)
      return { status: 500, body: JSON.stringify({ error: 'the handler failed' }) }
    })
    known.set(id, answered)
    for (const oldest of known.keys()) if (known.size > REMEMBERED) known.delete(oldest)
    return answered
  }

  return async (request: WebhookRequest): Promise<Received> => {
    const { signing_secret = [], tolerance_s } = options()
    try {
      const event = verifyWebhook<BotEvent>(
        request,
        signing_secret,
        tolerance_s === undefined ? {} : { tolerance_s },
      )
      return await handleOnce(headerOf(request.headers, 'webhook-id') ?? '', event)
    } catch (error) {
      onError(error)
      const status = error instanceof InvalidSignature ? 401 : 400
      return { status, body: JSON.stringify({ error: (error as Error).message }) }
    }
  }
}
