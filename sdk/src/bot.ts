import {
  BOT_EVENTS,
  type BotEvent,
  type BotEventKind,
  type BotEvents,
  kindOf,
  type NamedKind,
  nameOf,
  wireNameOf,
} from './bot-events.js'
import { type ConnectOptions, connect, type Parley } from './connect.js'
import type {
  BotCreateRequest,
  BotCreateResponse,
  BotEventName,
  BotTriggerOn,
  MessageCreateRequest,
  OpenViewRequest,
} from './generated/types.js'
import { type Listening, type ListenOptions, listen } from './listen.js'
import { type PollOptions, poll } from './poll.js'
import { type Received, receive } from './receive.js'
import type { WebhookRequest } from './verify-webhook.js'

type NewMessage = Omit<MessageCreateRequest['message'], 'entity_id' | 'entity_type'>

export interface BotContext<K extends BotEventKind = BotEventKind> {
  event: BotEvents[K]
  parley: Parley
  /** What follows the name: of `/approve 42`, and of a button or form with `approve:42`, it is `42`. */
  argument: string
  /** Says something in the chat of the event. */
  reply(message: string | NewMessage): ReturnType<Parley['messages']['create']>
  /** Opens a form for the person who pressed the button; within 3 s of the press. */
  open(
    view: OpenViewRequest['view'],
    more?: { callback_id?: string; private_metadata?: string },
  ): Promise<void>
}

/** What a form handler may give back: texts by field name send the form back to its sender. */
export type FormErrors = { errors: Record<string, string> }
type Handler<K extends BotEventKind> = (context: BotContext<K>) => unknown
type FormHandler =
  | ((context: BotContext<'form'>) => FormErrors | undefined | Promise<FormErrors | undefined>)
  | ((context: BotContext<'form'>) => void)
  | ((context: BotContext<'form'>) => Promise<void>)
type HandlerOf<K extends BotEventKind> = K extends 'form' ? FormHandler : Handler<K>
type ErrorHandler = (error: unknown, event: BotEvent | undefined) => void

export interface BotOptions extends ConnectOptions {
  /** Checks the signature of each webhook; two while a secret is being replaced. */
  signing_secret?: string | readonly string[]
  /** How old a webhook may be: 300 s when absent. `Infinity` for tests that move the clock. */
  tolerance_s?: number
}

export interface Bot {
  readonly parley: Parley
  on<K extends BotEventKind>(kind: K, handler: HandlerOf<K>): Bot
  /** For one command, or for buttons and forms whose `data` or `callback_id` is this name, or begins with it and a colon. */
  on<K extends NamedKind>(kind: K, name: string, handler: HandlerOf<K>): Bot
  /** Failures of handlers and of the connection; printed when nobody listens. */
  on(kind: 'error', handler: ErrorHandler): Bot
  /** The settings of the bot that its handlers need, for `bots.create` and `bots.update`. */
  settings(): BotSettings
  /**
   * Makes the bot, with the token of a person and with these settings; from then on this program is that bot. Keep
   * `access_token` and `signing_secret` for the next start: they are shown once.
   */
  register(person: Parley, webhook: BotCreateRequest['webhook']): Promise<BotCreateResponse>
  /** Calls the handlers for one event; of a form, gives what is wrong with it. */
  handle(event: BotEvent): Promise<FormErrors | undefined>
  /** Checks and handles one webhook, for servers of your own. */
  receive(request: WebhookRequest): Promise<Received>
  /** The same for servers that speak `Request` and `Response`: Bun, Deno, Hono. */
  fetch(request: Request): Promise<Response>
  /** A server for webhooks; its address becomes that of the bot. */
  listen(options?: ListenOptions): Promise<Listening>
  /**
   * Reads the queue of the bot instead, until it is stopped: for bots that nobody can reach. A token that may not read
   * it ends this with `Unauthorized` or `Forbidden`; other failures are told to the handler of errors, and it looks again.
   */
  poll(options?: PollOptions): Promise<void>
  /** Ends listening and polling; handlers under way end first. */
  stop(): Promise<void>
}

export interface BotSettings {
  events: BotEventName[]
  commands: string[]
  trigger_on: BotTriggerOn
  ignore_self_messages: true
}

interface Registered {
  kind: BotEventKind
  name: string | undefined
  handler: (context: BotContext) => unknown
}

/** A bot that answers nobody's form twice and never itself. */
class RunningBot implements Bot {
  parley: Parley
  readonly #handlers: Registered[] = []
  readonly #stops: (() => Promise<unknown>)[] = []
  #onError: ErrorHandler = (error) => console.error(error)
  #me: Promise<number> | undefined

  constructor(private options: BotOptions) {
    this.parley = connect(options)
  }

  on(kind: BotEventKind | 'error', ...rest: unknown[]): this {
    const handler = rest.pop() as Registered['handler']
    const name = rest[0] as string | undefined
    if (typeof handler !== 'function') throw new TypeError(`on('${kind}') lacks its handler, a function`)
    if (kind === 'error') {
      this.#onError = handler as unknown as ErrorHandler
      return this
    }
    if (!BOT_EVENTS.includes(kind)) throw new TypeError(`${kind} is none of ${BOT_EVENTS.join(', ')}`)
    if (kind === 'command' && name !== undefined && !name.startsWith('/'))
      throw new TypeError(`a command begins with /: /${name}`)
    this.#handlers.push({ kind, name, handler })
    return this
  }

  settings(): BotSettings {
    const kinds = this.#handlers.map(({ kind }) => kind)
    const events = kinds.map(wireNameOf).filter((name) => name !== null)
    const commands = this.#handlers.filter(({ kind }) => kind === 'command')
    const hearsAll = kinds.includes('message') || commands.some(({ name }) => name === undefined)
    const trigger_on = hearsAll ? 'all_messages' : kinds.includes('link') ? 'unfurl' : 'commands'
    const names = commands.flatMap(({ name }) => name ?? [])
    return {
      events: [...new Set(events)],
      commands: [...new Set(names)],
      trigger_on,
      ignore_self_messages: true,
    }
  }

  async register(person: Parley, webhook: BotCreateRequest['webhook']): Promise<BotCreateResponse> {
    const made = await person.bots.create({ webhook: { ...this.settings(), ...webhook } })
    const { access_token: token, signing_secret } = made
    this.options = { ...this.options, token, ...(signing_secret ? { signing_secret } : {}) }
    this.parley = connect(this.options)
    this.#me = Promise.resolve(made.id)
    return made
  }

  /** Asked for once, and again when asking failed. */
  async #isMine(event: BotEvent): Promise<boolean> {
    if (event.type !== 'message' && event.type !== 'reaction') return false
    this.#me ??= this.parley.oauth.getTokenInfo().then(({ user_id }) => user_id)
    this.#me.catch(() => {
      this.#me = undefined
    })
    return event.user_id === (await this.#me)
  }

  #contextOf(event: BotEvent, argument: string): BotContext {
    const { parley } = this
    const chat_id = 'chat_id' in event ? event.chat_id : null
    return {
      event,
      parley,
      argument,
      reply(message) {
        if (chat_id === null) throw new TypeError(`${event.type} ${event.event} has no chat to reply in`)
        const said = typeof message === 'string' ? { content: message } : message
        return parley.messages.create({ message: { ...said, entity_id: chat_id } })
      },
      open(view, more = {}) {
        if (!('trigger_id' in event)) throw new TypeError('only a press of a button opens a form')
        return parley.views.open({ type: 'modal', trigger_id: event.trigger_id, view, ...more })
      },
    }
  }

  async handle(event: BotEvent): Promise<FormErrors | undefined> {
    const kind = kindOf(event)
    if (!kind || (await this.#isMine(event))) return undefined
    const { name, argument } = nameOf(kind, event)
    const asked = this.#handlers.filter((one) => one.kind === kind)
    const named = asked.filter((one) => one.name === name)
    let answer: FormErrors | undefined
    for (const { handler } of named.length > 0 ? named : asked.filter((one) => one.name === undefined)) {
      const said = await handler(this.#contextOf(event, argument))
      if (kind === 'form') answer ??= said as FormErrors | undefined
    }
    return answer
  }

  readonly receive = receive(
    (event) => this.handle(event),
    () => this.options,
    (error, event) => this.#onError(error, event),
  )

  async fetch(request: Request): Promise<Response> {
    const { status, body } = await this.receive({ headers: request.headers, body: await request.text() })
    return new Response(body, { status, headers: { 'Content-Type': 'application/json' } })
  }

  async listen(options: ListenOptions = {}): Promise<Listening> {
    if (!this.options.signing_secret)
      throw new TypeError('signing_secret is missing: it came with the token when the bot was made')
    const listening = await listen(this.receive, this.parley, options)
    this.#stops.push(() => listening.stop())
    return listening
  }

  async poll(options: PollOptions = {}): Promise<void> {
    const stop = new AbortController()
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
    const ended = poll(this, { ...options, signal }, (error, event) => this.#onError(error, event))
    this.#stops.push(() => {
      stop.abort()
      // Whoever called this method was told of a refusal.
      return ended.catch(() => {})
    })
    await ended
  }

  async stop(): Promise<void> {
    await Promise.all(this.#stops.splice(0).map((stop) => stop()))
  }
}

/** A bot: handlers for what happens, and two ways to hear of it, webhooks and polling. */
export function bot(options: BotOptions): Bot {
  return new RunningBot(options) as Bot
}
