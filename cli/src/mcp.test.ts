import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { command } from './testing-terminal.js'

interface Seen {
  authorization?: string
  version?: string
  method?: string
  body: { method: string }
}

/** What stands at /mcp in place of a server: it answers once as JSON, once as a stream. */
async function startEndpoint(seen: Seen[]) {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const body = JSON.parse(text)
    const { authorization, 'mcp-protocol-version': version, 'mcp-method': method } = request.headers
    seen.push({ authorization, version: version as string, method: method as string, body })
    if (body.id === undefined) return response.writeHead(202).end()
    const answer = { jsonrpc: '2.0', id: body.id, result: { protocolVersion: '2025-06-18', of: body.method } }
    if (body.method !== 'initialize') return response.end(JSON.stringify(answer))
    response.setHeader('Content-Type', 'text/event-stream')
    return response.end(`event: message\ndata: ${JSON.stringify(answer)}\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close().closeAllConnections() }
}

test('messages go from standard input to /mcp with the token, and answers come back line by line', async (t) => {
  const seen: Seen[] = []
  const endpoint = await startEndpoint(seen)
  t.after(() => endpoint.close())
  const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const lines = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'whoami', _meta: modern } },
  ]
  const input = lines.map((line) => JSON.stringify(line)).join('\n')
  const { code, stdout, stderr } = await command(
    ['mcp', '--url', `${endpoint.url}/`],
    { PARLEY_TOKEN: 'secret' },
    input,
  )
  assert.equal(code, 0, stderr)
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    answers.map(({ id, result }) => [id, result.of]),
    [
      [1, 'initialize'],
      [2, 'tools/list'],
      [3, 'tools/call'],
    ],
  )
  assert.ok(seen.every(({ authorization }) => authorization === 'Bearer secret'))
  assert.deepEqual(seen.map(({ version, method }) => [version, method]).slice(1), [
    ['2025-06-18', undefined],
    ['2025-06-18', undefined],
    ['2026-07-28', 'tools/call'],
  ])
})

test('what cannot be read or answered is told, and the next message is passed on', async (t) => {
  const answers = [
    { status: 401, text: '{"error":"invalid_token"}' },
    { status: 401, text: '{"error":"invalid_token"}' },
    { status: 502, text: '<html>Bad Gateway</html>' },
    { status: 200, text: '{"jsonrpc":"2.0","id":4,"result":{}}' },
  ]
  const server = createServer((_, response) => {
    const { status, text } = answers.shift() as (typeof answers)[number]
    response.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const input = [
    'no JSON',
    '{"id":1,"method":"initialize"}',
    '{"method":"notifications/initialized"}',
    '{"id":3,"method":"ping"}',
    '{"id":4,"method":"ping"}',
  ]
  const { code, stdout, stderr } = await command(
    ['mcp', '--url', url],
    { PARLEY_TOKEN: 'x' },
    input.join('\n'),
  )
  assert.equal(code, 0, stderr)
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    told.map(({ id, error }) => [id, error?.code]),
    [
      [null, -32700],
      [1, -32603],
      [3, -32603],
      [4, undefined],
    ],
  )
  assert.match(told[1].error.message, /PARLEY_TOKEN/)
  assert.match(told[2].error.message, /502/)
  assert.match(stderr, /PARLEY_TOKEN/)
})

test('a server that does not answer is named', async () => {
  const input = '{"id":1,"method":"ping"}'
  const { code, stdout } = await command(['mcp', '--url', 'http://127.0.0.1:1'], { PARLEY_TOKEN: 'x' }, input)
  assert.equal(code, 0)
  assert.match(JSON.parse(stdout).error.message, /http:\/\/127\.0\.0\.1:1 does not answer/)
})

test('without a token the command says which setting it wants', async () => {
  const { code, stderr } = await command(['mcp', '--url', 'http://127.0.0.1:1'])
  assert.equal(code, 2)
  assert.match(stderr, /PARLEY_TOKEN/)
})
