import { type RunningServer, readConfig, startServer } from '@parley/server'
import type { Command } from 'commander'
import { type Output, print } from './print.js'
import { untilStopped } from './until-stopped.js'

interface Options extends Output {
  port?: string
  host?: string
  dataDir?: string
}

function curlLine(url: string, token: string, userId: number): string {
  const body = JSON.stringify({
    message: { entity_type: 'user', entity_id: userId, content: 'Hello, Parley!' },
  })
  return `curl -sS -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${body}' ${url}/v1/messages`
}

function greeting({ url, firstStart, ctx, postgres }: RunningServer): string[] {
  const prefix = ctx.config.api_prefixes[0]
  const lines = ['', `  Parley is running at ${url}`, `  API ${url}${prefix}   Reference ${url}/docs`]
  if (postgres && postgres.place !== postgres.folder)
    lines.push(`  The database is in ${postgres.place}: its account cannot pass through ${postgres.folder}`)
  if (!firstStart) return [...lines, '']
  const { email, password, token, owner_id } = firstStart
  return [
    ...lines,
    '',
    '  This is the first start. Keep these, they are shown once:',
    `  Login  ${email}   Password  ${password}`,
    `  Token  ${token}`,
    '',
    '  Post a first message, a note to yourself:',
    `  ${curlLine(url, token, owner_id)}`,
    '',
  ]
}

async function serve(options: Options) {
  const env = { ...process.env }
  if (options.port) env.PORT = options.port
  if (options.host) env.HOST = options.host
  if (options.dataDir) env.PARLEY_DATA_DIR = options.dataDir
  const config = readConfig(env)
  const server = await startServer(config, { watchdog: true })
  const { url, firstStart } = server
  print(options, { ready: true, url, first_start: firstStart ?? null, pid: process.pid }, greeting(server))
  await untilStopped(() => server.stop())
}

export function addServe(program: Command) {
  program
    .command('serve')
    .description(
      'run the server: the API, the background work, and a database of its own unless DATABASE_URL is set',
    )
    .option('--port <n>', 'the port to listen on (PORT, 8080)')
    .option('--host <address>', 'the address to listen on (HOST, 127.0.0.1)')
    .option('--data-dir <folder>', 'where data lives (PARLEY_DATA_DIR, ./data)')
    .option('--json', 'print one line of JSON when ready')
    .action(serve)
}
