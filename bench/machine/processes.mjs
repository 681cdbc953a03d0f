// Starts and ends the processes of a run: the server as `npm start` runs it, and small ones of our own.
import { fork, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../../scripts/node-flags.mjs'
import { reachDatabase } from '../../server/dist/operator/reach.js'
import { programFile } from '../../server/dist/testing/program.js'

export { findPort as freePort } from '../../postgres/dist/testing-port.js'

const CLI = programFile('parley', fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url)))

const alive = new Set()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** A child that does not outlive us. */
export function watched(child) {
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  return child
}

export async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  // Started by root, the database has an account of its own, which has to pass through.
  await chmod(path, 0o711)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Resolves when the child is gone, at once where it is already. */
export const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', resolve))

/** A server in a process of its own; `url` is its address and `first` what its first start showed. */
export async function startServer({ folder, env = {}, node_options = [], quiet = false }) {
  const command = [...NODE_FLAGS, ...node_options, CLI, 'serve', '--json']
  const child = watched(
    spawn(process.execPath, command, {
      stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit'],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        PARLEY_DATA_DIR: folder,
        PARLEY_RATE_LIMITS: 'off',
        PARLEY_LOG_REQUESTS: 'off',
        ...env,
      },
    }),
  )
  const ready = await new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      if (line.includes('"ready"')) resolve(JSON.parse(line))
      else if (!quiet) process.stderr.write(`${line}\n`)
    })
    child.once('exit', (code, signal) => reject(new Error(`the server ended with ${code ?? signal}`)))
  })
  const { hostname: host, port } = new URL(ready.url)
  return {
    pid: child.pid,
    child,
    url: ready.url,
    target: { host, port: Number(port) },
    first: ready.first_start,
    ended: () => ended(child),
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
    kill() {
      child.kill('SIGKILL')
      return ended(child)
    },
  }
}

/** The address of the database that a server runs in its data folder. */
export async function databaseOf(folder) {
  const { url } = await reachDatabase({ data_dir: folder, database_url: null })
  return url
}

/** One of our own small processes, spoken to by messages. */
export function startChild(file) {
  const child = watched(fork(fileURLToPath(new URL(file, import.meta.url)), { stdio: 'inherit' }))
  const waiting = []
  child.on('message', (message) => waiting.shift()?.(message))
  return {
    pid: child.pid,
    child,
    ask(message) {
      child.send(message)
      return new Promise((resolve) => waiting.push(resolve))
    },
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}
