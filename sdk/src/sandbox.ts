import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { connect, type Parley } from './connect.js'
import type { Methods } from './generated/types.js'

export interface SandboxOptions {
  /** 0, a free one, when absent. */
  port?: number
  /** The command that is run with `sandbox`: that of the installed server when absent. */
  command?: readonly string[]
  /** Settings of the server: `PARLEY_*`. */
  env?: Record<string, string>
}

export interface SandboxPerson extends Parley {
  id: number
  token: string
}

/** A throw-away workspace for tests. */
export interface Sandbox {
  base_url: string
  control_url: string
  owner_id: number
  owner_token: string
  owner: SandboxPerson
  /** Clock, faults, people, presses and forms: `control.moveClock({ advance_s: 60 })`. */
  control: Methods['sandbox']
  /** A client with this token. */
  as(token: string): Parley
  person(options?: Parameters<Methods['sandbox']['createUser']>[0]): Promise<SandboxPerson>
  /** Stops it and removes its folder. */
  stop(): Promise<void>
}

interface Ready {
  base_url: string
  control_url: string
  owner_id: number
  owner_token: string
}

/** The packages that hold the command, in the order of looking. */
const SERVERS = ['@parley/cli']

function installedCommand(): string[] {
  const load = createRequire(join(process.cwd(), 'package.json'))
  for (const name of SERVERS) {
    try {
      const file = load.resolve(`${name}/package.json`)
      return [process.execPath, join(dirname(file), load(file).bin.parley)]
    } catch {}
  }
  throw new Error(`The server is not installed: npm install --save-dev ${SERVERS[0]}, or pass command.`)
}

function start({ command = installedCommand(), port = 0, env = {} }: SandboxOptions) {
  const [program = '', ...rest] = command
  const child = spawn(program, [...rest, 'sandbox', '--port', String(port), '--json'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve())).then(() => {
    process.off('exit', end)
  })
  const ready = new Promise<Ready>((resolve, reject) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
      if (text.includes('\n')) resolve(JSON.parse(text.slice(0, text.indexOf('\n'))))
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`The sandbox ended with code ${code} before it was ready.`)),
    )
  })
  const stop = () => {
    end()
    return ended
  }
  return { ready, stop }
}

/** Starts a sandbox for a test file: a real server on a database of its own, ready within seconds. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { ready, stop } = start(options)
  const { base_url, control_url, owner_id, owner_token } = await ready
  const as = (token: string) => connect({ base_url, token })
  const personOf = (id: number, token: string): SandboxPerson => ({ ...as(token), id, token })
  const { sandbox: control } = connect({ base_url })
  return {
    base_url,
    control_url,
    owner_id,
    owner_token,
    owner: personOf(owner_id, owner_token),
    control,
    as,
    async person(given = {}) {
      const { id, token } = await control.createUser(given)
      return personOf(id, token)
    },
    stop,
  }
}
