import { type RunningServer, readConfig, StartError, startServer } from '@parley/server'
import type { Command } from 'commander'
import { type Output, print } from './print.js'
import { untilStopped } from './until-stopped.js'

interface Options extends Output {
  port?: string
  host?: string
  dataDir?: string
}

type FirstStart = NonNullable<RunningServer['firstStart']>

function curlLine(url: string, token: string, userId: number): string {
  const body = JSON.stringify({
    message: { entity_type: 'user', entity_id: userId, content: 'Hello, Parley!' },
  })
  return `curl -sS -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' -d '${body}' ${url}/messages`
}

function greeting({ url, firstStart, ctx, postgres }: RunningServer): string[] {
  const prefix = ctx.config.api_prefixes[0]
  const lines = ['', `  Parley is running at ${url}`, `  API ${url}${prefix}   Reference ${url}/docs`]
  if (postgres && postgres.place !== postgres.folder)
    lines.push(`  The database is in ${postgres.place}: its account cannot pass through ${postgres.folder}`)
  if (!firstStart) return [...lines, '']
  const shown = firstStart.given.token ? '$PARLEY_OWNER_TOKEN' : firstStart.token
  return [
    ...lines,
    '',
    '  This is the first start. Keep these, they are shown once:',
    ...credentials(firstStart),
    '',
    '  Sign in there with a browser, or post a first message, a note to yourself:',
    `  ${curlLine(`${url}${prefix}`, shown, firstStart.owner_id)}`,
    '',
  ]
}

/** What the operator chose is known already, and stays out of logs. */
function credentials({ email, password, token, given }: FirstStart): string[] {
  return [
    `  Login  ${email}   Password  ${given.password ? 'as given in PARLEY_OWNER_PASSWORD' : password}`,
    `  Token  ${given.token ? 'as given in PARLEY_OWNER_TOKEN' : token}`,
  ]
}

function presentFirstStart({ owner_id, email, password, token, given }: FirstStart) {
  return {
    owner_id,
    email,
    password: given.password ? null : password,
    token: given.token ? null : token,
  }
}

async function serve(options: Options) {
  const env = { ...process.env }
  if (options.port) env.PORT = options.port
  if (options.host) env.HOST = options.host
  if (options.dataDir) env.PARLEY_DATA_DIR = options.dataDir
  const config = readConfig(env)
  const server = await startServer(config, { watchdog: true }).catch((error) => {
    // The workspace was made although the start failed afterwards: its login is not lost.
    const made = error instanceof StartError ? error.firstStart : undefined
    if (made) print(options, { first_start: presentFirstStart(made) }, ['', ...credentials(made), ''])
    throw error
  })
  const { url, firstStart } = server
  const first_start = firstStart ? presentFirstStart(firstStart) : null
  print(options, { ready: true, url, first_start, pid: process.pid }, greeting(server))
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
