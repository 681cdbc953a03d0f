import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { backupDatabase } from '@parley/postgres'
import pg from 'pg'
import { pino } from 'pino'
import { openPair } from '../../postgres/dist/testing-pair.js'
import { findDatabaseTemplate } from './database-template.js'
import { findReplica } from './operator/replica.js'
import { readConfig } from './platform/config.js'
import { hostName } from './platform/db/hosts.js'
import { openPrimary } from './platform/db/primary.js'
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

async function openScene() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-failover-'))
  const pair = await openPair(folder, { synchronous: true, template: await findDatabaseTemplate() })
  const config = readConfig({
    DATABASE_URL: pair.url,
    DATABASE_REPLICA_URL: pair.url,
    PORT: '0',
    PARLEY_DATA_DIR: join(folder, 'data'),
    PARLEY_OWNER_TOKEN: TOKEN,
    PARLEY_RATE_LIMITS: 'off',
  })
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const server = await startServer(config, { log, passwords: createPasswords(LEAST_COST) })
  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const made = await call('POST', '/chats', { chat: { name: 'failover' } })
  const { data: chat } = (await made.json()) as { data: { id: number } }
  const post = (content: string) =>
    call(
      'POST',
      '/messages',
      { message: { entity_id: chat.id, content } },
      { 'idempotency-key': content.replaceAll(' ', '-') },
    )
  const texts = async () => {
    const { data } = (await (await call('GET', `/messages?chat_id=${chat.id}&limit=50`)).json()) as {
      data: { content: string }[]
    }
    return data.map(({ content }) => content).filter((content) => content.startsWith('text'))
  }
  async function close() {
    await server.stop()
    await pair.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { pair, server, folder, call, post, texts, close }
}

let scene: Awaited<ReturnType<typeof openScene>>
before(async () => {
  scene = await openScene()
})
after(() => scene.close())

/** Tries until it is so; the runner ends a test that waits for ever. */
async function until(isSo: () => Promise<boolean> | boolean) {
  while (!(await isSo())) await delay(20)
}

test('a replica answers searches of callers whose writes it has, and of no others', async () => {
  const { pair, server, call, post } = scene
  const { replica_reads } = server.ctx.metrics
  const reads = async () => (await replica_reads.get()).values[0]?.value ?? 0
  /** What is found, and whether a replica was asked. */
  async function search(position?: string) {
    const before = await reads()
    const answer = await call('GET', '/search/messages?query=heron', undefined, {
      ...(position === undefined ? {} : { 'parley-position': position }),
    })
    assert.equal(answer.status, 200)
    const { data } = (await answer.json()) as { data: { content: string }[] }
    const by_replica = (await reads()) > before
    return { found: data.length, by_replica }
  }
  async function searchOnReplica(position: string) {
    for (;;) {
      const { found, by_replica } = await search(position)
      if (by_replica) return found
      await delay(20)
    }
  }
  const standby = new pg.Client({ connectionString: pair.standbyUrl() })
  await standby.connect()
  const old = (await post('text heron 1')).headers.get('parley-position') ?? ''
  assert.match(old, /^\d+$/)
  assert.equal(await searchOnReplica(old), 1)
  const first = await search()
  assert.equal(
    first.by_replica,
    false,
    'a caller who does not say what it has written is answered by the primary',
  )

  let stale = first
  // A replica that is ten seconds late is left out: on a busy machine it may be, and then it is held up once more.
  for (let written = 2; !stale.by_replica && written < 6; written += 1) {
    await standby.query('select pg_wal_replay_pause()')
    const fresh = (await post(`text heron ${written}`)).headers.get('parley-position') ?? ''
    assert.ok(Number(fresh) > Number(old))
    assert.deepEqual(await search(fresh), { found: written, by_replica: false })
    stale = await search(old)
    await standby.query('select pg_wal_replay_resume()')
    assert.equal(await searchOnReplica(fresh), written)
    const expected = stale.by_replica ? written - 1 : written
    assert.equal(stale.found, expected, 'whoever wrote nothing since may read what is a moment old')
  }
  assert.ok(stale.by_replica)
  await standby.end()
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text()
  await until(async () => /parley_replica_lag_seconds\{host="127\.0\.0\.1:\d+"\} \d/.test(await metrics()))
})

test('a backup reads from a replica that has everything, and from no other', async () => {
  const { pair, server, folder, post } = scene
  const find = (wait_ms: number) => findReplica(server.ctx.config, pair.primaryUrl(), wait_ms)
  assert.equal((await post('text backup 1')).status, 201)
  const url = await find(60_000)
  assert.equal(url && hostName(url), hostName(pair.standbyUrl()))
  const { tables } = await backupDatabase({ url: pair.standbyUrl(), file: join(folder, 'backup.tar.gz') })
  const kept = await server.ctx.autocommit_pool.query('select count(*)::int as count from messages')
  assert.equal(tables.find(({ name }) => name === 'messages')?.rows, kept.rows[0].count)

  const standby = new pg.Client({ connectionString: pair.standbyUrl() })
  await standby.connect()
  await standby.query('select pg_wal_replay_pause()')
  assert.equal((await post('text backup 2')).status, 201)
  assert.equal(await find(0), undefined)
  await standby.query('select pg_wal_replay_resume()')
  await standby.end()
  assert.ok(await find(60_000))
})

/** A host that takes connections and never says a word, as one whose machine hangs. */
async function openSilentHost() {
  const sockets = new Set<Socket>()
  const host = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    host.close()
  }
  return {
    name: `127.0.0.1:${(host.address() as AddressInfo).port}`,
    isWaitedFor: () => sockets.size > 0,
    close,
  }
}

/** Watches the pair beside a host that says nothing; `found` tells whether that one was still asked when the primary changed. */
async function watchPair({ name, isWaitedFor }: Awaited<ReturnType<typeof openSilentHost>>) {
  const url = scene.pair.url.replace('/parley?', `,${name}/parley?`)
  const primary = await openPrimary(url, scene.server.ctx.log)
  const found = new Promise<boolean>((resolve) => {
    primary.onChange(() => {
      resolve(isWaitedFor())
      primary.close()
    })
  })
  return { found }
}

test('a server follows the database to a promoted standby, and loses nothing that it answered', async (t) => {
  const { pair, server, post, texts } = scene
  const silent = await openSilentHost()
  t.after(silent.close)
  const { found } = await watchPair(silent)
  const known = await texts()
  for (let n = 1; n <= 3; n += 1) assert.equal((await post(`text ${n}`)).status, 201)
  const moved = pair.failOver()
  const { answer, refusals, waited_ms } = await persist(() => post('text 4'))
  await moved
  assert.equal(answer.status, 201)
  for (const refusal of refusals) assert.ok(Number(refusal.headers.get('retry-after')) > 0)
  assert.ok(waited_ms < 30_000, `it took ${Math.round(waited_ms)} ms to find the new primary`)
  // The first answer may have come from the old primary, just before it ended.
  const again = await persist(() => post('text 4'))
  assert.equal(again.answer.status, 201, 'the same key is the same message on the new primary')
  assert.deepEqual((await texts()).sort(), [...known, 'text 1', 'text 2', 'text 3', 'text 4'].sort())

  const ready = await persist(() => fetch(`${server.url}/readyz`))
  assert.equal(ready.answer.status, 200)

  let isWaiting = await found
  // On a busy machine the new primary may answer as late as the host that says nothing is given up: then there is another.
  for (let tries = 0; !isWaiting && tries < 3; tries += 1) {
    await pair.rebuild()
    const watched = await watchPair(silent)
    await pair.failOver()
    isWaiting = await watched.found
  }
  assert.ok(isWaiting, 'the new primary was taken while a host that says nothing was still asked')
})
