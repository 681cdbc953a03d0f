import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { answerForm, isForm } from './listen-form.js'
import type { Terminal } from './terminal.js'

interface Queued {
  id: string
  event_type: string
  payload: object
  created_at: string
}

interface Options {
  url: string
  forward: string
  secret: string
  count?: number
}

const LOOK_EVERY_MS = 500
const SECRET_PREFIX = 'whsec_'

/** The server refuses the token or the call, and would again. */
class Refused extends Error {}

async function ask(url: string, token: string, query: URLSearchParams): Promise<Response> {
  for (;;) {
    const answer = await fetch(`${url}/v1/webhooks/events?${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    if (answer.ok) return answer
    const message = `the server answered ${answer.status}: ${await answer.text()}`
    if (answer.status !== 429) throw answer.status < 500 ? new Refused(message) : new Error(message)
    await pause(Number(answer.headers.get('retry-after') ?? 1) * 1000)
  }
}

/** One page of the queue of the bot, newest first, and the cursor of the next. */
async function readPage(options: Options, token: string, cursor: string | undefined) {
  const query = new URLSearchParams({ limit: '50', ...(cursor && { cursor }) })
  const answer = await ask(options.url, token, query)
  const { data, meta } = (await answer.json()) as {
    data: Queued[]
    meta: { paginate: { has_next: boolean; next_page: string } }
  }
  return { data, next: meta.paginate.has_next ? meta.paginate.next_page : undefined }
}

/** Remembers what was in the queue, so that each look gives what came since, oldest first. */
function createLook(options: Options, token: string) {
  const seen = new Set<string>()
  let since = ''
  return {
    async begin() {
      const { data } = await readPage(options, token, undefined)
      since = data[0]?.created_at ?? ''
      for (const { id } of data) seen.add(id)
    },
    async next(): Promise<Queued[]> {
      const fresh: Queued[] = []
      for (let cursor: string | undefined, more = true; more; ) {
        const { data, next } = await readPage(options, token, cursor)
        fresh.push(...data.filter(({ id, created_at }) => !seen.has(id) && created_at >= since))
        more = next !== undefined && data.every(({ id }) => !seen.has(id))
        cursor = next
      }
      for (const { id } of fresh) seen.add(id)
      return fresh.reverse()
    },
  }
}

interface Answer {
  status: number
  body: string
}

/** Posts an event as the server would, signed with the secret. */
async function forward({ forward: address, secret }: Options, { id, payload }: Queued): Promise<Answer> {
  const stamp = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ ...payload, webhook_timestamp: stamp })
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${stamp}.${body}`).digest('base64')
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(stamp),
      'webhook-signature': `v1,${signature}`,
      'Parley-Attempt': '1',
    },
    body,
  })
  return { status: answer.status, body: await answer.text() }
}

/** Forwards an event and says what came back. */
async function pass(options: Options, token: string, event: Queued): Promise<string> {
  const began = performance.now()
  try {
    const answer = await forward(options, event)
    const took = `${answer.status} in ${Math.round(performance.now() - began)} ms`
    const told = isForm(event.payload) ? await answerForm(options, token, event.payload, answer) : undefined
    return told ? `${took}, ${told}` : took
  } catch (error) {
    return `failed: ${reasonOf(error)}`
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error & { code?: string } }
  return cause?.message || cause?.code || message
}

/** What came since the last look, through restarts of the server. */
async function lookOn(terminal: Terminal, look: ReturnType<typeof createLook>): Promise<Queued[]> {
  for (let told = false; ; ) {
    try {
      const events = await look.next()
      if (told) terminal.err('The server answers again.\n')
      return events
    } catch (error) {
      if (error instanceof Refused) throw error
      if (!told) terminal.err(`The queue was not read, trying again: ${reasonOf(error)}\n`)
      told = true
      await pause(LOOK_EVERY_MS)
    }
  }
}

async function listen(terminal: Terminal, options: Options, token: string) {
  const look = createLook(options, token)
  await look.begin()
  terminal.err(`Forwarding to ${options.forward}, signed with ${options.secret}\n`)
  terminal.err('What stays in the queue is left there; events_history_enabled of the bot must be on.\n')
  const { count = Number.POSITIVE_INFINITY } = options
  for (let forwarded = 0; forwarded < count; ) {
    for (const event of (await lookOn(terminal, look)).slice(0, count - forwarded)) {
      terminal.out(
        `${event.created_at} ${event.event_type} ${event.id} ${await pass(options, token, event)}\n`,
      )
      terminal.out(`  ${JSON.stringify(event.payload)}\n`)
      forwarded += 1
    }
    if (forwarded < count) await pause(LOOK_EVERY_MS)
  }
}

function addressOf(text: string): string {
  if (!/^https?:\/\//.test(text)) throw new InvalidArgumentError('It begins with http:// or https://.')
  return text.replace(/\/+$/, '')
}

/** A port of this machine, or a whole address. */
function receiverOf(text: string): string {
  return /^\d{1,5}$/.test(text) ? `http://127.0.0.1:${text}/` : addressOf(text)
}

function secretOf(text: string): string {
  if (!text.startsWith(SECRET_PREFIX)) throw new InvalidArgumentError(`It begins with ${SECRET_PREFIX}.`)
  return text
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a number above 0.')
  return Number(text)
}

export function addListen(program: Command, terminal: Terminal) {
  program
    .command('listen')
    .description('forward the webhooks of a bot from its queue to a program on this machine, and show them')
    .requiredOption('--url <address>', 'the address of the server', addressOf, terminal.env.PARLEY_URL)
    .requiredOption('--forward <port or address>', 'where the program listens', receiverOf)
    .option('--secret <whsec_…>', 'the secret to sign with; a new one when absent', secretOf)
    .option('--count <n>', 'end after so many events', countOf)
    .action(({ secret, ...options }) => {
      const token = terminal.env.PARLEY_TOKEN
      if (!token) program.error('Set PARLEY_TOKEN to a token of the bot.', { exitCode: 2 })
      const own = secret ?? SECRET_PREFIX + randomBytes(32).toString('base64')
      return listen(terminal, { ...options, secret: own }, token)
    })
}
