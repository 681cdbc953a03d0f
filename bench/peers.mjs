// Others that take messages over HTTP, in the same run. Each is `{ name, run(load, times), close }`, or says why it is not there.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './machine/processes.mjs'
import { randomFrom, sentence } from './stage/words.mjs'

const TOKENS = 200

/** Its packages are kept in the temporary folder; the first run fetches them. */
function installEmulate(folder, say) {
  const binary = join(folder, 'node_modules', '.bin', 'node')
  if (existsSync(binary) && existsSync(join(folder, 'node_modules', 'emulate'))) return binary
  mkdirSync(folder, { recursive: true })
  say('fetching emulate@0.12.2 and node@24')
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefix', folder, 'node@24', 'emulate@0.12.2'],
    {
      stdio: 'ignore',
    },
  )
  return binary
}

async function answers(url) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(url).catch(() => undefined)) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('it does not answer')
}

/** A local emulator of a chat API, in memory alone. Each of its tokens is good for some thousand calls. */
async function openEmulate(say) {
  const folder = join(tmpdir(), 'parley-bench-peers')
  const binary = installEmulate(folder, say)
  const tokens = Array.from({ length: TOKENS }, (_, n) => `peer_token_${n}`)
  const seed = [
    'tokens:',
    ...tokens.map((token) => `  ${token}:\n    login: dev\n    scopes: [chat:write]`),
    'slack:\n  channels:\n    - name: bench\n',
  ].join('\n')
  writeFileSync(join(folder, 'seed.yaml'), seed)
  const port = await freePort()
  const entry = join(folder, 'node_modules', 'emulate', 'dist', 'index.js')
  const started = [
    entry,
    'start',
    '--service',
    'slack',
    '--port',
    String(port),
    '--seed',
    join(folder, 'seed.yaml'),
  ]
  const child = spawn(binary, started, { stdio: 'ignore', cwd: folder })
  process.once('exit', () => child.kill('SIGKILL'))
  await answers(`http://127.0.0.1:${port}/`)
  const random = randomFrom(5)
  const requests = tokens.map((token) => ({
    method: 'POST',
    path: '/api/chat.postMessage',
    token,
    body: { channel: 'bench', text: sentence(random, 120) },
  }))
  return {
    name: 'emulate',
    run: (load, times) => load.run({ kind: 'http', target: { host: '127.0.0.1', port }, requests, ...times }),
    close: () => child.kill('SIGTERM'),
  }
}

export async function openPeers(say) {
  const emulate = await openEmulate(say).catch((error) => ({
    name: 'emulate',
    skipped: `not to be had: ${error.message}`,
  }))
  return [emulate]
}
