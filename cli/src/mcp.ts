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

const failure = (id: Message['id'], text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code: -32603, message: text } })

/** Passes messages of the Model Context Protocol from standard input to a server, and its answers to standard output. */
async function bridge(terminal: Terminal, url: string, token: string) {
  let negotiated: string | undefined
  for await (const line of terminal.lines()) {
    if (line.trim() === '') continue
    const message = JSON.parse(line) as Message
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headersOf(message, negotiated),
      },
      body: line,
    })
    const text = await answer.text()
    const refused = answer.status === 401 || answer.status === 403 || answer.status === 429
    const messages = refused
      ? [failure(message.id, `${answer.status} ${text}`)]
      : messagesIn(answer.headers.get('content-type') ?? '', text)
    for (const one of messages) {
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
