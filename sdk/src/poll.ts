import { pause } from './attempt.js'
import type { Bot } from './bot.js'
import type { BotEvent } from './bot-events.js'
import type { Parley } from './connect.js'
import { Forbidden, Gone, NotFound, Unauthorized } from './errors.js'
import type { ViewSubmitWebhookPayload, WebhookEvent } from './generated/types.js'
import { pages } from './pages.js'

export interface PollOptions {
  /** Between two looks at the queue: 500 ms when absent. Five looks in two seconds are allowed. */
  wait_ms?: number
  /** How often an event is handled again when its handler fails; it is dropped then. 5 when absent. */
  attempts?: number
  signal?: AbortSignal
}

type Failed = (error: unknown, event?: BotEvent) => void
type Run = Pick<Bot, 'handle' | 'parley'>

function isForm(event: BotEvent): event is ViewSubmitWebhookPayload {
  return 'submit_id' in event
}

async function answerForm(parley: Parley, event: ViewSubmitWebhookPayload, wrong: object | undefined) {
  const { view_id, submit_id } = event
  await parley.views.answerSubmit({ view_id, submit_id, ...wrong }).catch((error) => {
    // Five seconds are over, and the person who sent it was told.
    if (!(error instanceof Gone)) throw error
  })
}

async function remove(parley: Parley, id: string) {
  await parley.webhookEvents.delete({ id }).catch((error) => {
    if (!(error instanceof NotFound)) throw error
  })
}

/** What a poll knows beyond one look: events under way, and how often each failed. */
class Queue {
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #failed = new Map<string, { times: number; again_ms: number }>()
  /** Taken out since the last look began, which may still show them. */
  readonly #removed = new Set<string>()
  /** The last event of each chat: events of one chat are handled one after the other. */
  readonly #chats = new Map<number | null, Promise<void>>()

  constructor(
    readonly bot: Run,
    readonly attempts: number,
    readonly failed: Failed,
  ) {}

  /** Before each look: what is out of the queue by now is not in what it finds. */
  beginLook() {
    this.#removed.clear()
  }

  take(queued: WebhookEvent) {
    const { id, payload } = queued
    if (this.#removed.has(id) || this.#underWay.has(id) || Date.now() < (this.#failed.get(id)?.again_ms ?? 0))
      return
    const event = payload as BotEvent
    const chat = 'chat_id' in event ? event.chat_id : null
    const before = this.#chats.get(chat) ?? Promise.resolve()
    const handled = before.then(() => this.#handle(id, event)).finally(() => this.#underWay.delete(id))
    this.#underWay.set(id, handled)
    this.#chats.set(chat, handled)
  }

  async #handle(id: string, event: BotEvent) {
    try {
      const wrong = await this.bot.handle(event)
      if (isForm(event)) await answerForm(this.bot.parley, event, wrong)
      await remove(this.bot.parley, id)
      this.#removed.add(id)
      this.#failed.delete(id)
    } catch (error) {
      this.failed(error, event)
      const times = (this.#failed.get(id)?.times ?? 0) + 1
      this.#failed.set(id, { times, again_ms: Date.now() + 1000 * 2 ** times })
      if (times >= this.attempts)
        await remove(this.bot.parley, id).catch((again) => this.failed(again, event))
    }
  }

  async ended() {
    await Promise.all(this.#underWay.values())
  }
}

/** Whether another look with the same token would be refused as well. */
function isFinal(error: unknown): boolean {
  return error instanceof Unauthorized || error instanceof Forbidden
}

/** Handles what is in the queue, oldest first, and takes it out; ends with the refusal where the token may not read it. */
export async function poll(
  bot: Run,
  { wait_ms = 500, attempts = 5, signal }: PollOptions,
  failed: Failed,
): Promise<void> {
  const queue = new Queue(bot, attempts, failed)
  while (!signal?.aborted) {
    try {
      queue.beginLook()
      const waiting: WebhookEvent[] = []
      for await (const event of pages(bot.parley.webhookEvents.list, {}, signal ? { signal } : {}))
        waiting.unshift(event)
      for (const event of waiting) queue.take(event)
    } catch (error) {
      if (signal?.aborted) break
      if (isFinal(error)) {
        await queue.ended()
        throw error
      }
      failed(error)
    }
    await pause(wait_ms, signal).catch(() => {})
  }
  await queue.ended()
}
