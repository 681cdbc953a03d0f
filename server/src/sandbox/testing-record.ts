import { type CallExample, OPERATIONS, type Operation } from '@parley/contract'
import { masked } from './testing-masks.js'

interface Found {
  operation: Operation
  /** Parameters of the path by name. */
  params: Record<string, string>
}

const parametersIn = ({ path }: Operation) => path.match(/\{/g)?.length ?? 0

/** Fixed paths come first: `/chats/exports` is no `/chats/{id}`. */
const PATTERNS = [...(OPERATIONS as readonly Operation[])]
  .sort((one, other) => parametersIn(one) - parametersIn(other))
  .map((operation) => {
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    return { operation, pattern: new RegExp(`^(/v1)?${pattern}$`) }
  })

function findOperation(method: string, { pathname }: URL, body: unknown): Found | undefined {
  // An upload goes to an address that the server hands out.
  if (body instanceof FormData && body.has('policy'))
    return { operation: OPERATIONS.find(({ external }: Operation) => external) as Operation, params: {} }
  for (const { operation, pattern } of PATTERNS) {
    const match = operation.method === method && pattern.exec(pathname)
    if (match) return { operation, params: match.groups ?? {} }
  }
  return undefined
}

/** The body of a request as an object, whatever its media type. */
function bodyOf(body: unknown): unknown {
  if (typeof body === 'string') return body && JSON.parse(body)
  if (!(body instanceof FormData || body instanceof URLSearchParams)) return undefined
  const fields = [...body].map(([name, value]) => [name, value instanceof File ? `@${value.name}` : value])
  return Object.fromEntries(fields)
}

const numeral = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)

function parametersOf({ params }: Found, { searchParams }: URL) {
  const query = [...searchParams].map(([name, value]) => [name.replace(/\[\]$/, ''), value] as const)
  const given = [...Object.entries(params), ...query].map(([name, value]) => [name, numeral(value)])
  return given.length ? Object.fromEntries(given) : undefined
}

async function exampleOf(found: Found, url: URL, body: unknown, response: Response): Promise<CallExample> {
  const isJson = response.headers.get('content-type')?.includes('json')
  const said = {
    parameters: parametersOf(found, url),
    request: bodyOf(body),
    response: isJson ? await response.clone().json() : undefined,
  }
  const known = Object.entries(said).filter(([, value]) => value !== undefined)
  return masked(Object.fromEntries(known), url.origin) as CallExample
}

/**
 * Runs something and gives the first successful call of each operation, and the webhooks that it gives back, by event.
 */
export async function recordCalls(
  origin: string,
  run: () => Promise<Map<string, unknown>>,
): Promise<Record<string, CallExample>> {
  const examples = new Map<string, CallExample>()
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    const url = new URL(String(input))
    const found = url.origin === origin && findOperation(init?.method ?? 'GET', url, init?.body)
    if (!found || examples.has(found.operation.id)) return response
    // A redirect that was followed has the status of what it led to.
    if (response.redirected || response.status === found.operation.returns.status)
      examples.set(found.operation.id, await exampleOf(found, url, init?.body, response))
    return response
  }
  try {
    for (const [event, payload] of await run()) examples.set(event, { request: masked(payload, origin) })
  } finally {
    globalThis.fetch = fetch
  }
  return Object.fromEntries([...examples].sort(([one], [other]) => (one < other ? -1 : 1)))
}
