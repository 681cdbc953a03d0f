import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getTokenInfo } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { programFile } from '@parley/server/testing/program'
import { command } from './testing-terminal.js'

const PARLEY = programFile('parley', fileURLToPath(new URL('./main.js', import.meta.url)))

async function folder(t: TestContext) {
  const path = await mkdtemp(join(tmpdir(), 'parley-cli-'))
  // Started by root, the database has an account of its own, which has to pass through.
  await chmod(path, 0o711)
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Starts a command that goes on, and gives the line it prints when it is ready. */
async function running(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [PARLEY, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
  return {
    ready: JSON.parse(line),
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

test('help explains every command, and a wrong word is a fault of usage', async () => {
  const help = await command(['--help'])
  assert.equal(help.code, 0)
  for (const word of [
    'serve',
    'sandbox',
    'migrate',
    'token',
    'user',
    'bot',
    'settings',
    'doctor',
    'backup',
    'restore',
    'audit',
    'import',
    'workspace',
  ]) {
    assert.match(help.stdout, new RegExp(`^  ${word}`, 'm'))
  }
  assert.match((await command(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
  assert.equal((await command(['nonsense'])).code, 2)
  assert.equal((await command(['token', 'create'])).code, 2)
  assert.equal((await command(['serve'], { PARLEY_NONSENSE: '1' })).code, 2)
  const bad = await command(['serve'], { PORT: 'eighty' })
  assert.equal(bad.code, 2)
  assert.match(bad.stderr, /^parley: PORT must be a whole number/)
})

test('a Node that is too old is told in one sentence', () => {
  const older = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.20.0"}})'
  for (const script of ['../bin/parley.mjs', '../../scripts/start.mjs']) {
    const path = fileURLToPath(new URL(script, import.meta.url))
    const args = ['--import', `data:text/javascript,${older}`, path, 'serve']
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [1, 'Parley needs Node.js 20.19 or newer; this is 18.20.0.\n'])
  }
})

test('a server is served alone in its folder, examined, backed up while it runs, and restored elsewhere', async (t) => {
  const first = await folder(t)
  const env = { PARLEY_DATA_DIR: first, PORT: '0', PARLEY_LOG_LEVEL: 'silent' }
  const server = await running(['serve', '--json'], env)
  const { token, owner_id } = server.ready.first_start
  const ask = (url: string) => createClient({ base_url: `${url}/v1`, token }).call(getTokenInfo)
  assert.equal((await ask(server.ready.url)).data.user_id, owner_id)

  const second = await command(['serve'], env)
  assert.equal(second.code, 1)
  assert.match(second.stderr, /^parley: Another server .* is using .*\n$/)

  const made = await command(
    ['user', 'create', '--email', 'ann@example.org', '--role', 'admin', '--json'],
    env,
  )
  assert.equal(made.code, 0, made.stderr)
  const issued = await command(
    ['token', 'create', '--user', 'ann@example.org', '--scopes', 'chats:read', '--json'],
    env,
  )
  assert.deepEqual(JSON.parse(issued.stdout).scopes, ['chats:read'])
  const wrong = await command(['token', 'create', '--user', 'nobody@example.org'], env)
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /Nobody is called nobody@example.org/)

  const health = await command(['doctor', '--json'], env)
  assert.equal(health.code, 0, health.stdout)
  const checks = JSON.parse(health.stdout).findings.map(({ check }: { check: string }) => check)
  assert.deepEqual(checks, [
    'disk',
    'database',
    'schema',
    'workspace',
    'clock',
    'mail',
    'port',
    'public URL',
    'outbound',
    'pictures',
  ])

  const chain = await command(['audit', 'verify', '--json'], env)
  assert.equal(chain.code, 0, chain.stderr)
  const { whole, head } = JSON.parse(chain.stdout)
  assert.equal(whole, true)
  assert.match(head, /^\d+-/)
  assert.equal((await command(['audit', 'verify', '--head', head], env)).code, 0)

  const file = join(first, 'backup.tar.gz')
  const saved = await command(['backup', file, '--json'], env)
  assert.equal(saved.code, 0, saved.stderr)
  assert.ok((await stat(file)).size > 0)
  assert.equal(await server.stop(), 0)

  const elsewhere = { ...env, PARLEY_DATA_DIR: await folder(t) }
  const restored = await command(['restore', file], elsewhere)
  assert.equal(restored.code, 0, restored.stderr)
  assert.equal((await command(['restore', file], elsewhere)).code, 1, 'what is there is not replaced unasked')
  const again = await running(['serve', '--json'], elsewhere)
  assert.equal(again.ready.first_start, null)
  assert.equal((await ask(again.ready.url)).data.user_id, owner_id)
  assert.equal(await again.stop(), 0)
})

test('a sandbox says that it is ready in one line and leaves nothing behind', async () => {
  const refused = await command(['sandbox', '--port', '0'], { PARLEY_NONSENSE: '1' })
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /PARLEY_NONSENSE is not a setting of Parley/)
  const env = { PARLEY_API_PREFIXES: '/api/v2', PARLEY_VIEW_SUBMIT_TYPE: 'view', PARLEY_DATA_DIR: '/nowhere' }
  const sandbox = await running(['sandbox', '--port', '0'], env)
  const { ready, base_url, control_url, owner_id, owner_token, pid } = sandbox.ready
  assert.equal(ready, true)
  assert.match(base_url, /^http:\/\/127\.0\.0\.1:\d+\/api\/v2$/)
  assert.match(control_url, /^http:\/\/127\.0\.0\.1:\d+\/sandbox$/)
  assert.ok(pid > 0)
  const { data } = await createClient({ base_url, token: owner_token }).call(getTokenInfo)
  assert.equal(data.user_id, owner_id)
  const from = Date.now()
  assert.equal(await sandbox.stop(), 0)
  assert.ok(Date.now() - from < 60_000)
})
