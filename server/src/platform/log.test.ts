import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import * as api from '@parley/contract'
import { pino } from 'pino'
import { startServer } from '../serve.js'
import { cloneDatabase } from '../testing/cluster.js'
import { world } from '../testing/world.js'
import { readConfig } from './config.js'
import { type Log, openLog } from './log.js'

/** What was written so far, as lines. */
function collect() {
  let text = ''
  const stream = new PassThrough()
  stream.on('data', (chunk) => {
    text += chunk
  })
  return { stream, lines: () => text.split('\n').filter(Boolean) }
}

async function until(condition: () => boolean) {
  for (const end = performance.now() + 30_000; !condition(); ) {
    assert.ok(performance.now() < end, 'nothing of the kind was logged')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('lines are JSON for programs and readable on a terminal, and secrets are in neither', async () => {
  for (const isTTY of [false, true]) {
    const { stream, lines } = collect()
    const destination = Object.assign(stream, { isTTY })
    const log = await openLog({ level: 'info', format: 'auto', destination })
    log.info({ password: 'hunter2', body: { access_token: 'hunter2' }, size: 3 }, 'file stored')
    log.info(
      { request_id: 'r-1', method: 'GET', path: '/v1/chats', status: 200, ms: 12.4, caller: 'user 7' },
      'request answered',
    )
    log.warn({ err: new Error('out of luck') }, 'delivery failed')
    await until(() => lines().length >= 3)
    const text = lines().join('\n')
    assert.doesNotMatch(text, /hunter2/)
    assert.match(text, /out of luck/)
    if (isTTY) {
      assert.match(lines()[0]!, /\d\d:\d\d:\d\d\.\d{3}.*INFO.*file stored.*"size":3/)
      assert.match(lines()[1]!, /INFO.*GET {4}200 {3}12 ms {2}\/v1\/chats {2}user 7.*r-1/)
    } else {
      const [stored, answered] = lines().map((line) => JSON.parse(line))
      assert.equal(stored.password, '[hidden]')
      assert.deepEqual([answered.method, answered.ms], ['GET', 12.4])
    }
  }
})

test('each request is a line with method, path, caller, status and time, and no secret of the path or query', async (t) => {
  const { ctx, alice, bot, office, url } = await world(t)
  const { stream, lines } = collect()
  ctx.log = pino({ level: 'info' }, stream)
  await alice.call(api.getChat, { params: { id: office.id } })
  await bot.call(api.listMessages, { query: { chat_id: office.id } })
  const secret = 'hunter2-hunter2-hunter2-hunter2'
  await fetch(`${url}/v1/users?token=${secret}`)
  await fetch(`${url}/webhooks/${secret}`, { method: 'POST' })
  await fetch(`${url}/invite/${secret}?x=${secret}`)
  await fetch(`${url}/readyz`)
  // A busy machine may have other things to say.
  const answered = () => lines().filter((line) => line.includes('"request answered"'))
  await until(() => answered().length >= 5)
  const told = answered().map((line) => {
    const { method, path, caller, status, ms, address } = JSON.parse(line)
    assert.ok(ms >= 0)
    assert.equal(address, '127.0.0.1')
    return `${method} ${path} ${status} ${caller}`
  })
  assert.deepEqual(told.slice(0, 2), [
    `GET /v1/chats/${office.id} 200 user ${alice.id}`,
    `GET /v1/messages 200 bot ${bot.id}`,
  ])
  assert.equal(told[2], 'GET /v1/users 401 anonymous')
  assert.match(told[3]!, /^POST \/webhooks\/:\w+ 404 anonymous$/)
  assert.match(told[4]!, /^GET \/invite\/… \d+ anonymous$/)
  assert.equal(told.length, 5, 'whoever watches the server fills no log')
  assert.doesNotMatch(lines().join('\n'), /hunter2/)
})

/** A way to the database that can be cut and opened again. */
async function startProxy(t: TestContext, url: string) {
  const { searchParams, username, password, pathname } = new URL(url.replace('@/', '@localhost/'))
  const socketPath = join(searchParams.get('host') ?? '', `.s.PGSQL.${searchParams.get('port')}`)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = createConnection(socketPath)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cut = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  t.after(cut)
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}?sslmode=disable`,
    cut,
    mend: () => server.listen(port, '127.0.0.1'),
  }
}

async function serve(t: TestContext, database_url: string, log: Log) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-outage-'))
  const env = { DATABASE_URL: database_url, PORT: '0', PARLEY_DATA_DIR: folder, PARLEY_LOG_REQUESTS: 'off' }
  const server = await startServer(readConfig(env), { log })
  t.after(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return server
}

test('a database that goes away is one line, and one when it is back', async (t) => {
  const database = await cloneDatabase()
  t.after(() => database.drop())
  const proxy = await startProxy(t, database.url)
  const { stream, lines } = collect()
  const { url } = await serve(t, proxy.url, pino({ level: 'info' }, stream))
  const told = () => lines().map((line) => JSON.parse(line) as { msg: string; err?: { message: string } })
  // A busy machine may have other things to say, such as that a round was slow.
  const messages = () => told().flatMap(({ msg }) => (msg.startsWith('database') ? [msg] : []))
  const ready = async () => (await fetch(`${url}/readyz`)).status
  assert.equal(await ready(), 200)

  for (const round of [1, 2]) {
    proxy.cut()
    for (let i = 0; i < 10; i++) assert.equal(await ready(), 503)
    await fetch(`${url}/v1/chats`, { headers: { Authorization: 'Bearer x' } })
    await until(() => messages().length >= round * 2 - 1)
    proxy.mend()
    await until(() => messages().length >= round * 2)
  }
  const expected = [/^database connection lost: .+; retrying$/, /^database is back after [\d.]+ s$/]
  assert.equal(messages().length, 4, messages().join('\n'))
  for (const [index, message] of messages().entries()) assert.match(message, expected[index % 2]!)
  assert.deepEqual(
    told().filter(({ err }) => /ECONNREFUSED|Connection terminated/.test(err?.message ?? '')),
    [],
  )
  assert.equal(await ready(), 200)
})
