import { type Command, InvalidArgumentError } from 'commander'
import type { Terminal } from './terminal.js'

interface Message {
  id?: string | number
  method?: string
  params?: { name?: string; _meta?: Record<string, unknown> }
}

const VERSION_META = 'io.modelcontextprotocol/protocolVersion'

/** Headers that repeat what the message says; the server holds both against each other. */
function headersOf({ method, params }: Message, negotiated: string | undefined): Record<string, string> {
  const stated = params?._meta?.[VERSION_META]
  const version = typeof stated === 'string' ? stated : negotiated
  return {
    ...(version && { 'MCP-Protocol-Version': version }),
    ...(typeof stated === 'string' && method ? { 'Mcp-Method': method } : {}),
    ...(typeof stated === 'string' && params?.name ? { 'Mcp-Name': params.name } : {}),
  }
}

/** The messages of an answer: one as JSON, or those of a stream of events. */
function messagesIn(type: string, text: string): string[] {
  if (!type.includes('text/event-stream')) return text.trim() === '' ? [] : [text.trim()]
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
}

const PARSE_ERROR = -32700
const INTERNAL_ERROR = -32603

function failure(id: Message['id'] | null, text: string, code = INTERNAL_ERROR): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: text } })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The messages of an answer, or one that says why there is none; answers that are not of the protocol come from proxies too. */
async function answersOf(answer: Response, url: string): Promise<string[] | { fault: string }> {
  const text = await answer.text()
  if (answer.status === 401) return { fault: `${url} does not know the token in PARLEY_TOKEN: 401 ${text}` }
  const refused = answer.status === 403 || answer.status === 429
  const messages = messagesIn(answer.headers.get('content-type') ?? '', text)
  const readable = messages.every((one) => typeof parsed(one) === 'object')
  return refused || !readable ? { fault: `${answer.status} ${text.slice(0, 500)}` } : messages
}

/** Passes messages of the Model Context Protocol from standard input to a server, and its answers to standard output. */
async function bridge(terminal: Terminal, url: string, token: string) {
  let negotiated: string | undefined
  const post = (message: Message, body: string) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headersOf(message, negotiated),
      },
      body,
    }).then(
      (answer) => answersOf(answer, url),
      () => ({ fault: `${url} does not answer: is the address of --url right, and the server running?` }),
    )

  for await (const line of terminal.lines()) {
    if (line.trim() === '') continue
    const message = parsed(line) as Message | null | undefined
    if (typeof message !== 'object' || message === null) {
      terminal.out(`${failure(null, 'The line is not a JSON object', PARSE_ERROR)}\n`)
      continue
    }
    const answers = await post(message, line)
    if ('fault' in answers) {
      // A notification is never answered, so the person who looks at the log of the client is told.
      if (message.id === undefined) terminal.err(`${answers.fault}\n`)
      else terminal.out(`${failure(message.id, answers.fault)}\n`)
      continue
    }
    for (const one of answers) {
      const { result } = JSON.parse(one) as { result?: { protocolVersion?: string } }
      if (message.method === 'initialize') negotiated = result?.protocolVersion
      terminal.out(`${one}\n`)
    }
  }
}

function addressOf(text: string): string {
  if (!/^https?:\/\//.test(text)) throw new InvalidArgumentError('It begins with http:// or https://.')
  return text.replace(/\/+$/, '')
}

export function addMcp(program: Command, terminal: Terminal) {
  program
    .command('mcp')
    .description(
      'serve the Model Context Protocol over standard input and output, for assistants on this machine',
    )
    .requiredOption('--url <address>', 'the address of the server', addressOf, terminal.env.PARLEY_URL)
    .action(({ url }) => {
      const token = terminal.env.PARLEY_TOKEN
      if (!token) program.error('Set PARLEY_TOKEN to the token that the assistant uses.', { exitCode: 2 })
      return bridge(terminal, url, token)
    })
}
