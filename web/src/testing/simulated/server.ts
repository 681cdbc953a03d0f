import {
  type ChatCard,
  type Draft,
  OPERATIONS,
  type PersonPresence,
  type TimelineMessage,
} from '@parley/contract'
import { USUAL } from '../../notifications/state.js'
import type { LiveFrame } from '../../platform/changes.js'
import { card, frame, message, page as pageOf, person } from '../shapes.js'
import type { Browser, Page } from './browser.js'
import type { Clock } from './clock.js'

/** What happens to requests: to those that write messages, or to all where the line is down; later pages of chats may fail as well. */
export type Line = 'up' | 'down' | 'answers lost' | 'refusing' | 'failing' | 'busy'

interface Answer {
  status: number
  body?: unknown
  retry_after_s?: number
}

interface Asked {
  name: string
  path: string
  query: URLSearchParams
  body: unknown
  key: string | undefined
  /** Whom the page writes for. */
  named: string | undefined
  session: number
  user_id: number
}

/** A stored message, with the key that it came with. */
export interface Stored {
  message: TimelineMessage
  key: string
  session: number
  /** As it was sent. */
  text: string
}

interface Stream {
  page: Page
  session: number
  send(text: string): void
  end(error?: Error): void
}

export interface Server {
  line: Line
  /** How long anything takes on its way at most. */
  slow_ms: number
  stored: Stored[]
  /** Of everybody who starts. */
  chats: ChatCard[]
  /** Of everybody who starts, newest first. */
  drafts: Draft[]
  /** Chats of a page: of the first call, and of those that follow. */
  page: number
  /** Who each session belongs to. */
  sessions: Map<number, number>
  online: PersonPresence[]
  /** Answers an operation that no test but one needs; with nothing, there is no such thing. */
  answers: Map<string, (asked: Asked) => unknown>
  /** Something happened: kept with a position, or told in passing. */
  tell(told: LiveFrame, ephemeral?: boolean): void
  /** Streams lose what happened until now. */
  forgetEvents(): void
  /** The pages that hold a stream. */
  streaming(): Page[]
  /** How many events were kept so far, which is the position. */
  position(): number
  cut(): void
  signIn(userId: number): number
  endSession(session: number): void
  fetchFor(page: Page, browser: Browser): typeof fetch
  uploaderFor(page: Page, browser: Browser): unknown
  onPageGone(page: Page): void
}

const NOT_FOUND: Answer = { status: 404, body: { errors: [{ code: 'not_found' }] } }
const HEARTBEAT_MS = 5000

const OPERATION_AT = OPERATIONS.map(({ id, method, path }) => ({
  id,
  method,
  path: new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

function nameOf(method: string, path: string): string {
  return OPERATION_AT.find((one) => one.method === method && one.path.test(path))?.id ?? `${method} ${path}`
}

const cut = () => new TypeError('the line was cut')

const byActivity = (a: ChatCard, b: ChatCard) =>
  b.last_message_at.localeCompare(a.last_message_at) || b.id - a.id

/** So many chats, below the place that the cursor names. */
function pageOfChats(chats: readonly ChatCard[], count: number, cursor: string | null) {
  const [at, id] = cursor === null ? [] : (JSON.parse(cursor) as [string, number])
  const below = { last_message_at: at, id } as ChatCard
  const list = chats.filter((one) => cursor === null || byActivity(below, one) < 0).sort(byActivity)
  const data = list.slice(0, count)
  const last = data.at(-1)
  const next = last && list.length > count ? JSON.stringify([last.last_message_at, last.id]) : null
  return { data, next }
}

/** The answer to `listOwnChatCards`. */
export function restOfChats({ chats, page }: Pick<Server, 'chats' | 'page'>, { query }: Asked) {
  const { data, next } = pageOfChats(chats, page, query.get('cursor'))
  const paginate = { next_page: next ?? '', prev_page: '', has_next: next !== null, has_prev: true }
  return { data, people: [], meta: { paginate } }
}

export function createServer(clock: Clock, random: () => number): Server {
  const events: { position: number; frame: LiveFrame }[] = []
  let kept_from = 0
  let lastSession = 0
  let uploads = 0
  const streams = new Set<Stream>()

  const framed = (told: LiveFrame, userId: number) => {
    const { client_key, ...rest } = told
    return told.actor_id === userId && client_key ? { ...rest, client_key } : rest
  }
  const userOf = ({ session }: Stream) => server.sessions.get(session) ?? 0
  const eventText = (stream: Stream, told: LiveFrame, id: number | null) =>
    `${id === null ? '' : `id: ${id}\n`}event: ${told.type}\ndata: ${JSON.stringify(framed(told, userOf(stream)))}\n\n`

  function createMessage(asked: Asked): Answer {
    const { body, key = '', session, user_id } = asked
    const known = findStored(asked)
    const text = JSON.stringify(body)
    if (known && known.text !== text) return { status: 409, body: { errors: [{ code: 'already_exists' }] } }
    if (known) return { status: 201, body: { data: known.message } }
    const { entity_id, content } = (body as { message: { entity_id: number; content: string } }).message
    const id = server.stored.length + 1
    const place = { chat_id: entity_id, root_chat_id: entity_id, entity_id }
    const created_at = new Date(clock.now()).toISOString()
    const written = message(id, { ...place, content, user_id, created_at, changed_at: created_at })
    server.stored.push({ message: written, key, session, text })
    server.tell(
      frame('message.created', {}, { ...place, actor_id: user_id, message: written, client_key: key }),
    )
    return { status: 201, body: { data: written } }
  }

  const findStored = ({ key, session }: Asked) =>
    server.stored.find((one) => one.key === key && one.session === session)

  function refusal(asked: Asked): Answer | undefined {
    if (asked.name === 'listOwnChatCards' && server.line === 'failing') return { status: 503 }
    if (asked.name !== 'createMessage') return undefined
    if (server.line === 'refusing' && !findStored(asked))
      return { status: 422, body: { errors: [{ code: 'too_long' }] } }
    if (server.line === 'failing') return { status: 503 }
    return server.line === 'busy' ? { status: 429, retry_after_s: 2 } : undefined
  }

  function start({ user_id }: Asked) {
    const position = String(events.length)
    const drafts = server.drafts.slice(0, 50)
    const lists = { may: [], people: [person(user_id, 'Somebody')], drafts, views: [] }
    const { data: chats, next: next_chats } = pageOfChats(server.chats, server.page, null)
    const rest = {
      chats,
      next_chats,
      version: '1',
      role: 'user',
      workspace: {},
      preferences: {},
      unread_threads: 0,
      notices_unread: 0,
    }
    const notifications = { ...USUAL, sound: false }
    return { data: { ...rest, ...lists, notifications, position, user: { id: user_id } } }
  }

  function answer(asked: Asked): Answer {
    if (!server.sessions.has(asked.session)) return { status: 401 }
    if (asked.named !== undefined && asked.named !== String(asked.user_id)) return { status: 401 }
    const refused = refusal(asked)
    if (refused) return refused
    const special = server.answers.get(asked.name)
    if (special) {
      const body = special(asked)
      return body === undefined ? NOT_FOUND : { status: 200, body }
    }
    if (asked.name === 'createMessage') return createMessage(asked)
    if (asked.name === 'getStart') return { status: 200, body: start(asked) }
    if (asked.name === 'listOwnChatCards') return { status: 200, body: restOfChats(server, asked) }
    if (asked.name === 'listPresence') return { status: 200, body: { data: [...server.online] } }
    if (asked.name === 'listTimeline') {
      const chatId = Number(asked.path.split('/')[3])
      const list = server.stored.map((one) => one.message).filter(({ chat_id }) => chat_id === chatId)
      return { status: 200, body: pageOf(list) }
    }
    if (asked.name === 'getUploadParams') {
      uploads += 1
      const policy = btoa('{"conditions":[]}')
      return { status: 200, body: { direct_url: '/storage', key: `files/${uploads}/\${filename}`, policy } }
    }
    return NOT_FOUND
  }

  function openStream(stream: Stream, position: number) {
    streams.add(stream)
    const resumes = position >= kept_from
    if (!resumes) stream.send(`id: ${events.length}\nevent: reset\ndata: {"version":"1"}\n\n`)
    else {
      stream.send('event: ready\ndata: {"version":"1"}\n\n')
      for (const event of events)
        if (event.position > position) stream.send(eventText(stream, event.frame, event.position))
    }
    const beat = () => {
      if (!streams.has(stream)) return
      stream.send(': alive\n\n')
      clock.after(HEARTBEAT_MS, null, beat)
    }
    clock.after(HEARTBEAT_MS, null, beat)
  }

  function connect(page: Page, session: number, position: number, signal: AbortSignal | undefined) {
    const pieces: (string | Error | null)[] = []
    let wake = () => {}
    let arrives_ms = 0
    const push = (piece: string | Error | null) => {
      arrives_ms = Math.max(arrives_ms, clock.now() + random() * server.slow_ms)
      clock.after(arrives_ms - clock.now(), page, () => {
        pieces.push(piece)
        wake()
      })
    }
    const stream: Stream = {
      page,
      session,
      send: push,
      end(error) {
        if (streams.delete(stream)) push(error ?? null)
      },
    }
    signal?.addEventListener('abort', () => {
      streams.delete(stream)
      pieces.length = 0
      pieces.push(cut())
      wake()
    })
    openStream(stream, position)
    const reader = {
      async read() {
        while (pieces.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        const piece = pieces.shift()
        if (piece instanceof Error) throw piece
        return piece === null ? { done: true } : { done: false, value: piece }
      },
    }
    return { ok: true, status: 200, body: { pipeThrough: () => ({ getReader: () => reader }) } }
  }

  const server: Server = {
    line: 'up',
    slow_ms: 60,
    stored: [],
    chats: [card(1), card(2)],
    drafts: [],
    page: 100,
    sessions: new Map(),
    online: [],
    answers: new Map(),
    tell(told, ephemeral = false) {
      const position = ephemeral ? null : events.length + 1
      if (position !== null) events.push({ position, frame: told })
      for (const stream of streams) stream.send(eventText(stream, told, position))
    },
    forgetEvents() {
      kept_from = events.length
    },
    streaming: () => [...streams].map(({ page }) => page),
    position: () => events.length,
    cut() {
      for (const stream of [...streams]) stream.end(cut())
    },
    signIn(userId) {
      lastSession += 1
      server.sessions.set(lastSession, userId)
      return lastSession
    },
    endSession(session) {
      server.sessions.delete(session)
      for (const stream of [...streams]) if (stream.session === session) stream.end()
    },
    onPageGone(page) {
      for (const stream of streams) if (stream.page === page) streams.delete(stream)
    },
    fetchFor: (page, browser) =>
      ((target: string, init: RequestInit) =>
        new Promise((resolve, reject) => {
          const { session } = browser
          const signal = init.signal ?? undefined
          const [path = '', search = ''] = target.split('?')
          const fail = () => reject(signal?.aborted ? new DOMException('given up', 'AbortError') : cut())
          if (signal?.aborted) return fail()
          signal?.addEventListener('abort', fail)
          clock.after(random() * server.slow_ms, null, () => {
            if (page.life === 'gone' && !init.keepalive) return
            if (server.line === 'down') return void clock.after(0, page, fail)
            const headers = init.headers as Record<string, string>
            if (path === '/v1/live') {
              if (signal?.aborted) return
              if (!server.sessions.has(session))
                return void clock.after(0, page, () => resolve({ status: 401 } as never))
              const opened = connect(page, session, Number(headers['Last-Event-ID']), signal)
              return void clock.after(0, page, () => resolve(opened as never))
            }
            const asked = {
              name: nameOf(init.method ?? 'GET', path),
              path,
              query: new URLSearchParams(search),
              body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
              key: headers['Idempotency-Key'],
              named: headers['Parley-User'],
              session,
              user_id: server.sessions.get(session) ?? 0,
            }
            const { status, body, retry_after_s } = answer(asked)
            const isLost = server.line === 'answers lost' && asked.name === 'createMessage'
            const text = body === undefined ? '' : JSON.stringify(body)
            const fields: Record<string, string | undefined> = {
              'content-type': 'application/json',
              'retry-after': retry_after_s?.toString(),
            }
            clock.after(random() * server.slow_ms, page, () => {
              if (isLost || server.line === 'down') return fail()
              const get = (name: string) => fields[name] ?? null
              resolve({ status, headers: { get }, text: async () => text } as never)
            })
          })
        })) as typeof fetch,
    uploaderFor: (page) =>
      class {
        status = 0
        upload = {}
        onload = () => {}
        onerror = () => {}
        onabort = () => {}
        open() {}
        send() {
          clock.after(random() * server.slow_ms, page, () => {
            this.status = 204
            if (server.line === 'down') this.onerror()
            else this.onload()
          })
        }
        abort() {
          this.onabort()
        }
      },
  }
  return server
}
