import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createMessage, createUser, getTokenInfo, listMessages, updateUser } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { createToken, openWorkspace, readConfig } from '@parley/server'
import { cloneDatabase, OWNER, stopOwnCluster } from '@parley/server/testing/cluster'
import { programFile } from '@parley/server/testing/program'

const PARLEY = programFile('parley', fileURLToPath(new URL('./main.js', import.meta.url)))
const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))

let database: Awaited<ReturnType<typeof cloneDatabase>>
let folder: string
const stops: ((...signals: NodeJS.Signals[]) => Promise<unknown>)[] = []
const urls: string[] = []
const { id: owner_id, token: owner_token } = OWNER

/** As `npm start` runs it: below a shell that npm signals, and that passes nothing on. */
const UNDER_NPM = ['/bin/sh', '-c', `"${process.execPath}" "${START}" serve --json; :`]

const DIRECTLY = [process.execPath, PARLEY, 'serve', '--json']

async function startProcess([file = '', ...args]: readonly string[]) {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    PARLEY_DATA_DIR: folder,
    PORT: '0',
    PARLEY_LOG_LEVEL: 'silent',
    PARLEY_RATE_LIMITS: 'off',
    npm_lifecycle_event: 'start',
  }
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  // Its output closes when everything that it started has ended.
  const ended = new Promise((resolve) => child.on('close', resolve))
  const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
  const ready = JSON.parse(line)
  urls.push(ready.url)
  stops.push(async (...signals) => {
    for (const signal of signals) child.kill(signal)
    await ended
  })
}

before(async () => {
  database = await cloneDatabase()
  folder = await mkdtemp(join(tmpdir(), 'parley-processes-'))
  // Started by root, the database has an account of its own, which has to pass through.
  await chmod(folder, 0o711)
  await startProcess(UNDER_NPM)
  await startProcess(DIRECTLY)
})
after(async () => {
  await Promise.all(stops.map((stop) => stop('SIGTERM')))
  await database.drop()
  await rm(folder, { recursive: true, force: true })
  await stopOwnCluster()
})

const at = (process: number, token: string) => createClient({ base_url: `${urls[process]}/v1`, token })

async function newcomer(role: 'admin' | 'user') {
  const email = `${Math.random().toString(36).slice(2)}@example.org`
  const { data } = await at(0, owner_token).call(createUser, {
    body: { user: { email, role }, skip_email_notify: true },
  })
  const workspace = await openWorkspace(readConfig({ DATABASE_URL: database.url }))
  const { token } = await createToken(workspace, { user: String(data.id) }).finally(workspace.close)
  return { id: data.id, token }
}

test('one process suspends a person, and the other refuses the very next request', async () => {
  const { id, token } = await newcomer('user')
  for (let round = 0; round < 20; round += 1) {
    await at(1, token).call(getTokenInfo)
    await at(0, owner_token).call(updateUser, { params: { id }, body: { user: { suspended: true } } })
    await assert.rejects(at(1, token).call(getTokenInfo), { status: 403, code: 'access_denied' })
    await at(0, owner_token).call(updateUser, { params: { id }, body: { user: { suspended: false } } })
    await at(1, token).call(getTokenInfo)
  }
})

test('one process lowers a role, and the other cuts the token at the very next request', async () => {
  const { id, token } = await newcomer('admin')
  const email = () => `${Math.random().toString(36).slice(2)}@example.org`
  const invite = () =>
    at(1, token).call(createUser, { body: { user: { email: email() }, skip_email_notify: true } })
  await invite()
  await at(0, owner_token).call(updateUser, { params: { id }, body: { user: { role: 'user' } } })
  await assert.rejects(invite(), { status: 403, code: 'role_forbidden' })
  await at(0, owner_token).call(updateUser, { params: { id }, body: { user: { role: 'admin' } } })
  await invite()
})

test('what one process writes the other reads at once, whatever it had kept', async () => {
  const query = { chat_id: 0 }
  for (let round = 0; round < 20; round += 1) {
    const body = { message: { entity_type: 'user' as const, entity_id: owner_id, content: `note ${round}` } }
    const { data } = await at(round % 2, owner_token).call(createMessage, { body })
    query.chat_id = data.chat_id
    const page = await at((round + 1) % 2, owner_token).call(listMessages, { query })
    assert.equal(page.data[0]?.id, data.id)
    assert.equal(page.data.length, round + 1)
  }
})

test('one key sent to both processes at once makes one message', async () => {
  const body = { message: { entity_type: 'user' as const, entity_id: owner_id, content: 'to both' } }
  for (let round = 0; round < 10; round += 1) {
    const idempotency_key = `both-${round}`
    const answers = await Promise.all(
      [0, 1].map((n) => at(n, owner_token).call(createMessage, { body, idempotency_key })),
    )
    assert.equal(answers[0]?.data.id, answers[1]?.data.id)
  }
})

/** Longer than the script behind `npm start` lets pass between two looks at its shell. */
const LOOKED_TWICE_MS = 700

/** Asks a process for a message whose body has yet to come; gives what sends it and reads the answer. */
async function beginPost(process: number): Promise<() => Promise<IncomingMessage>> {
  const body = JSON.stringify({
    message: { entity_type: 'user', entity_id: owner_id, content: 'last words' },
  })
  const asked = request(`${urls[process]}/v1/messages`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${owner_token}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  })
  asked.flushHeaders()
  await once(asked, 'continue')
  return async () => {
    asked.end(body)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return answer.resume()
  }
}

test('a server that is ended through npm answers what it was asked', async () => {
  const finish = await beginPost(0)
  const ended = stops[0]?.('SIGTERM')
  await setTimeout(LOOKED_TWICE_MS)
  assert.equal((await finish()).statusCode, 201)
  await ended
})

test('a server that is signalled with its group, and by who passes the signal on, stops once', async () => {
  const finish = await beginPost(1)
  const ended = stops[1]?.('SIGINT', 'SIGTERM')
  assert.equal((await finish()).statusCode, 201)
  await ended
})
