import { type Config, type RunningServer, StartError, startServer } from '@parley/server'
import type { Command } from 'commander'
import { type Address, configAt, print, withAddress, withSharedOptions } from './answer.js'
import type { Terminal } from './terminal.js'
import { untilStopped } from './until-stopped.js'

type FirstStart = NonNullable<RunningServer['firstStart']>

function curlLine(url: string, token: string, userId: number): string {
  const body = JSON.stringify({
    message: { entity_type: 'user', entity_id: userId, content: 'Hello, Parley!' },
  })
  return `curl -sS -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' -d '${body}' ${url}/messages`
}

/** Links in mails and answers are made of the public address, and nobody reaches 0.0.0.0. */
function openWarning({ host, public_url }: Pick<Config, 'host' | 'public_url'>): string[] {
  const named = new URL(public_url).hostname.replace(/^\[(.*)\]$/, '$1')
  if (named !== '0.0.0.0' && named !== '::') return []
  return [
    `  Warning: HOST is ${host} and PARLEY_PUBLIC_URL is not set, so links name ${public_url}: set it to the address that people use`,
  ]
}

function greeting({ url, firstStart, ctx, postgres }: RunningServer): string[] {
  const prefix = ctx.config.api_prefixes[0]
  const lines = ['', `  Parley is running at ${url}`, `  API ${url}${prefix}   Reference ${url}/docs`]
  if (postgres && postgres.place !== postgres.folder)
    lines.push(`  The database is in ${postgres.place}: its account cannot pass through ${postgres.folder}`)
  lines.push(...openWarning(ctx.config))
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

async function serve(terminal: Terminal, options: Address) {
  const config = configAt(terminal, options)
  const server = await startServer(config, { alone: true }).catch((error) => {
    // The workspace was made although the start failed afterwards: its login is not lost.
    const made = error instanceof StartError ? error.firstStart : undefined
    if (made) {
      const lines = ['', ...credentials(made), '']
      print(terminal, options, { value: { first_start: presentFirstStart(made) }, lines })
    }
    throw error
  })
  const { url, firstStart } = server
  const first_start = firstStart ? presentFirstStart(firstStart) : null
  const value = { ready: true, url, first_start, pid: process.pid }
  print(terminal, options, { value, lines: greeting(server) })
  await untilStopped(() => server.stop())
}

export function addServe(program: Command, terminal: Terminal) {
  withAddress(withSharedOptions(program.command('serve')))
    .alias('start')
    .description(
      'run the server: the API, the background work, and a database of its own unless DATABASE_URL is set',
    )
    .action((options) => serve(terminal, options))
}
