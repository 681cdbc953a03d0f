import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { bot } from './bot.js'
import { Forbidden, Unauthorized } from './errors.js'

const base_url = 'http://127.0.0.1:1/v1'

test('a handler that would never be called is refused', () => {
  const on =
    (...args: unknown[]) =>
    () =>
      (bot({ base_url }).on as (...args: unknown[]) => unknown)(...args)
  const nothing = () => {}
  assert.throws(on('mesage', nothing), /^TypeError: mesage is none of message, command, /)
  assert.throws(on('button', 'approve'), /^TypeError: on\('button'\) lacks its handler/)
  assert.throws(on('command', 'hello', nothing), /^TypeError: a command begins with \/: \/hello$/)
  assert.doesNotThrow(on('command', '/hello', nothing))
  assert.doesNotThrow(on('error', nothing))
})

/** A server that refuses every request with this status, and counts them. */
async function refusing(t: TestContext, status: number) {
  const seen = { requests: 0 }
  const server = createServer((_, response) => {
    seen.requests += 1
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"error":"invalid_token"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close().closeAllConnections())
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

for (const [status, refusal] of [
  [401, Unauthorized],
  [403, Forbidden],
] as const)
  test(`polling ends where the token is refused with ${status}`, async (t) => {
    const { seen, url } = await refusing(t, status)
    const polling = bot({ base_url: url, token: 'revoked' })
    await assert.rejects(polling.poll({ wait_ms: 1 }), refusal)
    assert.equal(seen.requests, 1)
    await polling.stop()
  })
