import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from './platform/config.js'
import { startServer } from './serve.js'
import { StartError, startError } from './start-faults.js'
import { cloneDatabase } from './testing/cluster.js'

const log = pino({ level: 'silent' })

async function emptyFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-start-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a port in use stops the start before anything is made', async (t) => {
  const folder = await emptyFolder(t)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { port } = other.address() as { port: number }
  const config = readConfig({ PORT: String(port), PARLEY_DATA_DIR: folder })
  const message = `Port ${port} of 127.0.0.1 is in use: stop the program that listens there, or set PORT to another.`
  await assert.rejects(startServer(config, { log }), { name: 'Error', message })
  assert.deepEqual(await readdir(folder), [])
})

test('an address of another machine, a file for a folder and a database that is away are told in a sentence', async (t) => {
  const folder = await emptyFolder(t)
  const file = join(folder, 'file')
  await writeFile(file, '')
  const cases: [Record<string, string>, RegExp][] = [
    [{ HOST: '192.0.2.1', PORT: '8080' }, /^HOST 192\.0\.2\.1 is not an address of this machine\.$/],
    [{ PARLEY_DATA_DIR: file }, /^The data folder .*file is not a folder/],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      /^The database does not take the connection .*check DATABASE_URL\.$/,
    ],
  ]
  for (const [env, expected] of cases) {
    const config = readConfig({ PORT: '0', PARLEY_DATA_DIR: folder, ...env })
    await assert.rejects(startServer(config, { log }), (error: Error) => {
      assert.ok(error instanceof StartError, error.stack)
      assert.match(error.message, expected)
      return true
    })
  }
})

test('a login that was made is not lost with the start that failed', () => {
  const config = readConfig({})
  const made = {
    owner_id: 1,
    email: 'a@b.c',
    password: 'p',
    token: 't',
    given: { password: false, token: false },
  }
  const error = startError(new Error('out of luck'), config, made)
  assert.ok(error instanceof StartError)
  assert.deepEqual(error.firstStart, made)
  const full = startError(Object.assign(new Error('write'), { code: 'ENOSPC' }), config) as Error
  assert.match(full.message, /^The disk of .* is full/)
})

test('a start without the key that encrypted files is refused, unless the key is said to be lost', async (t) => {
  const { url: DATABASE_URL, drop } = await cloneDatabase()
  t.after(drop)
  const PARLEY_DATA_DIR = await emptyFolder(t)
  const [old, renewed] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'))
  const start = async (key = '') => {
    const env = { DATABASE_URL, PARLEY_DATA_DIR, PORT: '0', PARLEY_FILES_KEY: key }
    await (await startServer(readConfig(env), { log, work: 'paused' })).stop()
  }
  const refused = {
    message: /^Files of this workspace were encrypted with a key that PARLEY_FILES_KEY does not/,
  }
  await start(old)
  await assert.rejects(start(), refused)
  await start(`${renewed},${old}`)
  await assert.rejects(start(old), refused)
  await start(`${old},lost`)
})
