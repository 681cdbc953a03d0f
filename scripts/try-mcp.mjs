// Runs the official conformance scenarios of the Model Context Protocol that need no tools of their own against /mcp of a sandbox, for both
// eras, and the one for the metadata of authorization servers. Needs the network for npm; the nightly workflow runs it.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startSandbox } from '@parley/server/sandbox'

/** The suite wants a newer Node than the product does. */
const PACKAGES = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node@22']
const SCENARIOS = [
  ['server-initialize', '2025-11-25'],
  ['ping', '2025-11-25'],
  ['tools-list', '2025-11-25'],
  ['server-stateless', '2026-07-28'],
  ['tools-list', '2026-07-28'],
  ['caching', '2026-07-28'],
  ['http-header-validation', '2026-07-28'],
  ['dns-rebinding-protection', '2026-07-28'],
]

const run = promisify(execFile)

/** Passes requests on with a token, because the suite has none; `aim` says where to. */
async function startProxy() {
  let target
  const proxy = createServer((incoming, reply) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${target.token}` }
    const outgoing = request(new URL(incoming.url, target.url), { method: incoming.method, headers })
    outgoing.on('response', (answer) => {
      reply.writeHead(answer.statusCode, answer.headers)
      answer.pipe(reply)
    })
    outgoing.on('error', () => reply.destroy())
    incoming.pipe(outgoing)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    aim: (url, token) => {
      target = { url, token }
    },
    close: () => proxy.close(),
  }
}

/** Checks that fail for want of what we do not offer. */
const NOT_OFFERED = {
  'sep-2575-server-rejects-undeclared-capability': 'needs a tool of the suite',
  'sep-2575-missing-capability-http-400': 'needs a tool of the suite',
  'sep-2575-server-sends-subscription-ack':
    'lists do not change while a client is connected: no subscriptions',
  'sep-2549-prompts-list-caching-hints': 'there are no prompts',
  'sep-2549-resources-list-caching-hints': 'there are no resources',
  'sep-2549-resources-templates-list-caching-hints': 'there are no resources',
  'sep-2575-server-tags-subscription-id': 'lists do not change while a client is connected: no subscriptions',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the suite colours its lines
const COLOURS = /\u001b\[\d+m/g
const CHECK = /\[([\w-]+) *\] (SUCCESS|FAILURE) (.*)/g

/** How many checks of a scenario passed, and which failed. */
async function tryScenario(folder, args) {
  const node = join(folder, 'node_modules/node/bin/node')
  const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  // It exits with 1 where a check fails.
  const { stdout } = await run(node, [program, ...args], { cwd: folder }).catch((error) => error)
  const checks = [...stdout.replaceAll(COLOURS, '').matchAll(CHECK)]
  const passed = checks.filter(([, , outcome]) => outcome === 'SUCCESS').length
  const failed = checks.filter(([, id, outcome]) => outcome === 'FAILURE' && !(id in NOT_OFFERED))
  return { passed, failed: failed.map(([, id, , text]) => `${id}: ${text}`) }
}

async function tryAll(folder) {
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder })
  const proxy = await startProxy()
  const env = { PARLEY_LOG_LEVEL: 'error', PARLEY_PUBLIC_URL: proxy.url }
  const { base_url, owner_token, stop } = await startSandbox({ port: 0, env })
  proxy.aim(new URL(base_url).origin, owner_token)
  const runs = SCENARIOS.map(([name, version]) => [
    `${name} ${version}`,
    ['server', '--url', `${proxy.url}/mcp`, '--scenario', name, '--spec-version', version],
  ])
  try {
    for (const [name, args] of runs) {
      const { passed, failed } = await tryScenario(folder, args)
      console.log([`${name}: ${passed} checks passed, ${failed.length} failed`, ...failed].join('\n  '))
      if (failed.length > 0 || passed === 0) process.exitCode = 1
    }
  } finally {
    proxy.close()
    await stop()
  }
}

const folder = await mkdtemp(join(tmpdir(), 'parley-mcp-'))
try {
  await tryAll(folder)
} catch (error) {
  console.error(error.stdout || error.message)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true })
}
