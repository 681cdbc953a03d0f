import { setTimeout as wait } from 'node:timers/promises'
import * as api from '@parley/contract'
import { type Caller, type Connection, callerOf } from './client.js'
import { type Level, NEEDS, type Need } from './law.js'
import { type Hook, type Receiver, untilReceived } from './receiver.js'

/** The server lacks what a law needs: it is neither kept nor broken. */
export class NotTested extends Error {}

/** A bot that the run made. */
export interface LabBot extends Caller {
  signing_secret: string
  inbound_url: string
}

export interface LabOptions {
  connection: Connection
  level: Level
  prefix: string
  owner: Caller
  /** Scopes of the main token. */
  scopes: readonly string[]
  member?: Caller
  /** A bot that takes the place of those that the run would make. */
  bot?: Caller
  /** Where the control API of a sandbox answers. */
  sandbox: boolean
  receiver?: Receiver
  /** How long to wait for what happens in the background of a server whose clock cannot be moved. */
  patience_ms: number
}

type Cleanup = () => Promise<unknown>
type Webhook = api.BodyOf<typeof api.createBot>['webhook']
type NewChat = Partial<api.BodyOf<typeof api.createChat>['chat']>
type NewMessage = Partial<api.BodyOf<typeof api.createMessage>['message']>

const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Where laws are tried: callers, things that were made for them, and what has to be removed afterwards. */
export class Lab {
  readonly owner: Caller
  readonly anonymous: Caller
  readonly level: Level
  readonly #options: LabOptions
  readonly #cleanups: Cleanup[] = []
  #names = 0

  constructor(options: LabOptions) {
    this.#options = options
    this.owner = options.owner
    this.level = options.level
    this.anonymous = callerOf(options.connection, 0, undefined)
  }

  /** A caller with another token. */
  as(id: number, token: string): Caller {
    return callerOf(this.#options.connection, id, token)
  }

  has(need: Need): boolean {
    const { scopes, member, sandbox, receiver } = this.#options
    if (need === 'owner') return scopes.includes('audit_events:read')
    if (need === 'admin') return scopes.includes('users:create')
    if (need === 'bots') return scopes.includes('bots:write')
    if (need === 'member') return member !== undefined
    return need === 'sandbox' ? sandbox : receiver !== undefined
  }

  need(need: Need) {
    if (!this.has(need)) throw new NotTested(NEEDS[need])
  }

  /** A name of this run. */
  name(what: string): string {
    this.#names += 1
    return `${this.#options.prefix} ${what} ${this.#names}`
  }

  /** A name that is one word. */
  word(what: string): string {
    return this.name(what).replaceAll(' ', '_')
  }

  /** Something to do when the run is over, last made first. */
  after(cleanup: Cleanup) {
    this.#cleanups.push(cleanup)
  }

  /** Removes what the run made; gives what could not be removed. */
  async clean(): Promise<string[]> {
    const faults: string[] = []
    for (const cleanup of this.#cleanups.splice(0).reverse())
      await cleanup().catch((error: Error) => faults.push(error.message))
    return faults
  }

  get member(): Caller {
    this.need('member')
    return this.#options.member as Caller
  }

  async newChat(chat: NewChat = {}, by: Caller = this.owner) {
    const { data } = await by.call(api.createChat, { body: { chat: { name: this.name('chat'), ...chat } } })
    this.after(() => by.send(api.archiveChat, { params: { id: data.id } }))
    return data
  }

  /** A closed chat of owner and helper that laws share: chats cannot be deleted, only archived. */
  readonly room = once(async () => this.newChat({ member_ids: [(await this.helper()).id] }))

  async say(message: NewMessage = {}, by: Caller = this.owner) {
    const entity_id = message.entity_id ?? (await this.room()).id
    const given = { entity_id, ...(message.files ? {} : { content: this.name('text') }), ...message }
    return (await by.call(api.createMessage, { body: { message: given as never } })).data
  }

  async newBot(webhook: Partial<Webhook> = {}): Promise<LabBot> {
    this.need('bots')
    const { data } = await this.owner.call(api.createBot, {
      body: { webhook: { name: this.name('bot'), ...webhook } },
    })
    this.after(() => this.owner.send(api.deleteBot, { params: { id: data.id } }))
    return {
      ...this.as(data.id, data.access_token ?? ''),
      signing_secret: data.signing_secret ?? '',
      inbound_url: data.webhook.inbound_url ?? '',
    }
  }

  /** A bot that is in the room. */
  readonly helper = once((): Promise<LabBot> => {
    const { bot } = this.#options
    if (bot && !this.has('bots')) return Promise.resolve({ ...bot, signing_secret: '', inbound_url: '' })
    return this.newBot({ events_history_enabled: true, trigger_on: 'all_messages' })
  })

  /** A bot that is in no chat. */
  readonly stranger = once(() => this.newBot())

  /** The helper with a token without scopes. */
  readonly bare = once(async () => {
    const { id } = await this.helper()
    const { data } = await this.owner.call(api.issueBotToken, {
      params: { id },
      body: { name: this.name('bare') },
    })
    return this.as(id, data.token)
  })

  /** A login session of the owner, which only a sandbox gives without a password. */
  readonly session = once(async () => {
    this.need('sandbox')
    const body = { user_id: this.owner.id, session: true }
    const { data } = await this.anonymous.call(api.createSandboxToken, { body })
    return this.as(this.owner.id, data.token)
  })

  async newTag(name = this.name('tag')) {
    this.need('admin')
    const { data } = await this.owner.call(api.createGroupTag, { body: { group_tag: { name } } })
    this.after(() => this.owner.send(api.deleteGroupTag, { params: { id: data.id } }))
    return data
  }

  openHook(): Hook {
    this.need('webhooks')
    return (this.#options.receiver as Receiver).open()
  }

  /** Lets what is due in the background happen, as far as this can be asked for. */
  async settle() {
    if (this.has('sandbox')) await this.anonymous.call(api.settleSandbox)
  }

  /** Waits for so many webhooks. */
  async received(hook: Hook, count: number) {
    await this.settle()
    await untilReceived(hook, count, this.#options.patience_ms)
    return hook.received
  }

  /** Lets time pass: by the clock of a sandbox, or by waiting, which is quicker for less than a second. */
  async pass(seconds: number) {
    if (seconds >= 1 && this.has('sandbox'))
      await this.anonymous.call(api.moveSandboxClock, { body: { advance_s: seconds } })
    else await wait(seconds * 1000)
  }

  /** Looks again until it is so, for what a server does in the background. */
  async eventually<T>(look: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
    await this.settle()
    const until = performance.now() + this.#options.patience_ms
    let value = await look()
    while (!isDone(value) && performance.now() < until) {
      await wait(100)
      value = await look()
    }
    return value
  }
}
