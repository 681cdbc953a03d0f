// Makes clients of openapi.json with two generators, which may not warn of anything, compiles programs that use them, and runs these
// against a sandbox. Needs the network for npm; the nightly workflow runs it.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startSandbox } from '@parley/server/sandbox'

const DOCUMENT = fileURLToPath(new URL('../openapi.json', import.meta.url))
const PACKAGES = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.95.0',
  'typescript@5.9.3',
  '@types/node@20',
]

const WITH_FETCH = `
import createClient from 'openapi-fetch'
import type { paths } from './fetch-schema'

const [, , baseUrl = '', token = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } })

async function run() {
  const { data: chat } = await client.POST('/chats', { body: { chat: { name: 'Generated' } } })
  const entity_id = chat?.data.id ?? 0
  const { data: sent } = await client.POST('/messages', { body: { message: { entity_id, content: 'hello' } } })
  const { data: read } = await client.GET('/messages', { params: { query: { chat_id: entity_id, limit: 1 } } })
  const { error, response } = await client.GET('/messages/{id}', { params: { path: { id: 999999 } } })
  if (read?.data[0]?.id !== sent?.data.id || response.status !== 404 || !error) throw new Error('openapi-fetch')
}
run()
`

const WITH_HEY_API = `
import { createChat, createMessage, getMessage, listMessages } from './hey-api/sdk.gen'
import { createClient } from './hey-api/client'

const [, , baseUrl = '', auth = ''] = process.argv
const client = createClient({ baseUrl, auth })

async function run() {
  const { data: chat } = await createChat({ client, body: { chat: { name: 'Generated' } } })
  const entity_id = chat?.data.id ?? 0
  const { data: sent } = await createMessage({ client, body: { message: { entity_id, content: 'hello' } } })
  const { data: read } = await listMessages({ client, query: { chat_id: entity_id, limit: 1 } })
  const { error, response } = await getMessage({ client, path: { id: 999999 } })
  if (read?.data[0]?.id !== sent?.data.id || response?.status !== 404 || !error) throw new Error('hey-api')
}
run()
`

const run = promisify(execFile)

/** Runs a program of the folder; a warning fails. */
async function generate(folder, program, ...args) {
  const { stdout, stderr } = await run(join(folder, 'node_modules/.bin', program), args, { cwd: folder })
  const warned = `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => /warn|deprecat|error|unsupported/i.test(line))
  if (warned.length > 0) throw new Error(`${program}: ${warned.join('\n')}`)
}

async function tryGenerators(folder) {
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder })
  await cp(DOCUMENT, join(folder, 'openapi.json'))
  await generate(
    folder,
    'openapi-typescript',
    'openapi.json',
    '-o',
    'fetch-schema.ts',
    '--default-non-nullable=false',
  )
  await generate(folder, 'openapi-ts', '-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch')
  await writeFile(join(folder, 'with-fetch.ts'), WITH_FETCH)
  await writeFile(join(folder, 'with-hey-api.ts'), WITH_HEY_API)
  const options = [
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'commonjs',
    '--outDir',
    'out',
  ]
  await run(join(folder, 'node_modules/.bin/tsc'), [...options, 'with-fetch.ts', 'with-hey-api.ts'], {
    cwd: folder,
  })
  const { base_url, owner_token, stop } = await startSandbox({ port: 0, env: { PARLEY_LOG_LEVEL: 'error' } })
  try {
    for (const program of ['with-fetch.js', 'with-hey-api.js']) {
      await run(process.execPath, [join(folder, 'out', program), base_url, owner_token])
      console.log(`${program} works`)
    }
  } finally {
    await stop()
  }
}

const folder = await mkdtemp(join(tmpdir(), 'parley-generators-'))
try {
  await tryGenerators(folder)
} catch (error) {
  console.error(error.stdout || error.message)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true })
}
