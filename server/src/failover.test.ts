import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { openPair } from '../../postgres/dist/testing-pair.js'
import { findDatabaseTemplate } from './database-template.js'
import { readConfig } from './platform/config.js'
import { createPasswords, LEAST_COST } from './platform/passwords.js'
import { startServer } from './serve.js'

const TOKEN = 'owner-token-of-the-failover-test-000000000000'

/** The same request again while the answer is that the database is away, as a client would. */
async function persist(ask: () => Promise<Response>) {
  const began = performance.now()
  const refusals: Response[] = []
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return { answer, refusals, waited_ms: performance.now() - began }
    refusals.push(answer)
    await answer.body?.cancel()
    await delay(20)
  }
}

test('a server follows the database to a promoted standby, and loses nothing that it answered', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-failover-'))
  const pair = await openPair(folder, { synchronous: true, template: await findDatabaseTemplate() })
  const config = readConfig({
    DATABASE_URL: pair.url,
    PORT: '0',
    PARLEY_DATA_DIR: join(folder, 'data'),
    PARLEY_OWNER_TOKEN: TOKEN,
    PARLEY_RATE_LIMITS: 'off',
  })
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const server = await startServer(config, { log, passwords: createPasswords(LEAST_COST) })
  t.after(async () => {
    await server.stop()
    await pair.close()
    await rm(folder, { recursive: true, force: true })
  })

  const call = (method: string, path: string, body?: object, key?: string) =>
    fetch(`${server.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const made = await call('POST', '/chats', { chat: { name: 'failover' } })
  const { data: chat } = (await made.json()) as { data: { id: number } }
  const post = (n: number) =>
    call('POST', '/messages', { message: { entity_id: chat.id, content: `text ${n}` } }, `failover-${n}`)
  const texts = async () => {
    const { data } = (await (await call('GET', `/messages?chat_id=${chat.id}&limit=50`)).json()) as {
      data: { content: string }[]
    }
    return data.map(({ content }) => content).filter((content) => content.startsWith('text'))
  }

  for (let n = 1; n <= 3; n += 1) assert.equal((await post(n)).status, 201)
  const moved = pair.failOver()
  const { answer, refusals, waited_ms } = await persist(() => post(4))
  await moved
  assert.equal(answer.status, 201)
  for (const refusal of refusals) assert.ok(Number(refusal.headers.get('retry-after')) > 0)
  assert.ok(waited_ms < 10_000, `it took ${Math.round(waited_ms)} ms to find the new primary`)
  assert.equal((await post(4)).status, 201, 'the same key is the same message on the new primary')
  assert.deepEqual((await texts()).sort(), ['text 1', 'text 2', 'text 3', 'text 4'])

  const ready = await persist(() => fetch(`${server.url}/readyz`))
  assert.equal(ready.answer.status, 200)
})
