import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { findPort } from '../../../../postgres/dist/testing-port.js'

export interface TestRedis {
  url: string
  process: ChildProcess
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>
}

const NAMES = ['redis-server', 'valkey-server']
const INSTALL_TIMEOUT_MS = 120_000

let binary: Promise<string | undefined> | undefined

/** Starts a real Redis for the length of a test, or skips the test where none can be had. */
export async function startRedis(t: TestContext): Promise<TestRedis | undefined> {
  binary ??= findOrInstall()
  const path = await binary
  if (!path) {
    t.skip(`no ${NAMES.join(' or ')} on PATH, and no package manager here that may install one`)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'redis-'))
  const port = await findPort()
  let running = await launch(path, port, folder)

  const kill = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  t.after(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    get process() {
      return running
    },
    kill,
    async restart() {
      running = await launch(path, port, folder)
    },
  }
}

async function launch(path: string, port: number, folder: string): Promise<ChildProcess> {
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const child = spawn(path, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.includes('Ready to accept connections')) {
      child.stdout.resume()
      return child
    }
  }
  throw new Error(`${path} did not start:\n${lines.join('\n')}`)
}

async function findOrInstall(): Promise<string | undefined> {
  const found = await find(NAMES)
  if (found) return found
  const apt = await find(['apt-get'])
  if (!apt || process.getuid?.() !== 0) return undefined
  const run = promisify(execFile)
  const options = { timeout: INSTALL_TIMEOUT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  try {
    await run(apt, ['update'], options)
    await run(apt, ['install', '-y', '--no-install-recommends', 'redis-server'], options)
  } catch {
    return undefined
  }
  return find(NAMES)
}

async function find(names: string[]): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return undefined
}
