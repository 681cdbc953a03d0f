import { OPERATIONS, type Operation } from '@parley/contract'

export interface Example {
  request?: unknown
  response?: unknown
}

/** Values that differ from run to run or are secrets, by the names of their fields. */
const MASKED: Record<string, string> = {
  token: 'Zb3kqT0…',
  access_token: 'Zb3kqT0…',
  signing_secret: 'whsec_…',
  client_secret: 'Xy…',
  client_id: '7f3c…',
  owner_token: 'Zb3kqT0…',
  inbound_url: 'http://127.0.0.1:8080/webhooks/…',
  trigger_id: 'c1b7…',
  view_id: 'e5d2…',
  submit_id: 'a4f0…',
  policy: 'eyJleHBpcmF0aW9uIjoi…',
  'x-amz-signature': '5d41402a…',
  'x-amz-credential': 'parley/…',
  'x-amz-date': '20300131T080509Z',
  key: 'attachments/…/${filename}',
  event_id: '01KG…',
  next_page: 'eyJpZCI6Nn0',
  prev_page: 'eyJpZCI6Nn0',
  avatar_url: 'http://127.0.0.1:8080/avatars/…',
  meet_room_url: 'http://127.0.0.1:8080/meet/…',
}

function masked(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (MASKED[name]) return MASKED[name]
    if (name === 'id') return '01KG…'
    if (name === 'url' && /storage/.test(value)) return 'http://127.0.0.1:8080/storage/…'
    return value
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8080')
      .replaceAll(/(\/invite\/)\S+/g, '$1…')
  }
  if (Array.isArray(value)) return value.slice(0, 2).map((item) => masked(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, key)]))
}

function findOperation(method: string, path: string): Operation | undefined {
  return OPERATIONS.find((operation) => {
    const pattern = operation.path.replaceAll(/\{\w+\}/g, '[^/]+')
    return operation.method === method && new RegExp(`^(/v1)?${pattern}$`).test(path)
  })
}

/**
 * Runs something and gives the first successful request and answer of each operation that it called, and the webhooks that it
 * gives back, by event.
 */
export async function recordCalls(run: () => Promise<Map<string, unknown>>): Promise<Map<string, Example>> {
  const examples = new Map<string, Example>()
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    const operation = findOperation(init?.method ?? 'GET', new URL(String(input)).pathname)
    if (!operation || response.status !== operation.returns.status || examples.has(operation.id))
      return response
    const isJson = response.headers.get('content-type')?.includes('json')
    const answer = isJson ? masked(await response.clone().json()) : undefined
    const sent = typeof init?.body === 'string' ? masked(JSON.parse(init.body)) : undefined
    const example = { ...(sent ? { request: sent } : {}), ...(answer ? { response: answer } : {}) }
    if (Object.keys(example).length > 0) examples.set(operation.id, example)
    return response
  }
  try {
    for (const [event, payload] of await run()) examples.set(event, { request: masked(payload) })
  } finally {
    globalThis.fetch = fetch
  }
  return new Map([...examples].sort(([one], [other]) => (one < other ? -1 : 1)))
}
