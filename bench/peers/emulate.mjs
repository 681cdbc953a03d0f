// A local emulator of a chat API, in memory alone.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../machine/processes.mjs'
import { randomFrom, sentence } from '../stage/words.mjs'
import { postsTo, startPeer } from './start.mjs'

/** Each token is good for some thousand calls. */
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

function writeSeed(folder, tokens) {
  const seed = [
    'tokens:',
    ...tokens.map((token) => `  ${token}:\n    login: dev\n    scopes: [chat:write]`),
    'slack:\n  channels:\n    - name: bench\n',
  ].join('\n')
  const file = join(folder, 'seed.yaml')
  writeFileSync(file, seed)
  return file
}

export async function openEmulate(say) {
  const folder = join(tmpdir(), 'parley-bench-peers')
  const binary = installEmulate(folder, say)
  const tokens = Array.from({ length: TOKENS }, (_, n) => `peer_token_${n}`)
  const port = await freePort()
  const entry = join(folder, 'node_modules', 'emulate', 'dist', 'index.js')
  const args = ['start', '--service', 'slack', '--port', String(port), '--seed', writeSeed(folder, tokens)]
  const stop = await startPeer(binary, [entry, ...args], { cwd: folder, url: `http://127.0.0.1:${port}/` })
  const random = randomFrom(5)
  const requests = tokens.map((token) => ({
    method: 'POST',
    path: '/api/chat.postMessage',
    token,
    body: { channel: 'bench', text: sentence(random, 120) },
  }))
  return { run: postsTo(port, requests), close: stop }
}
