import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endLeftovers } from './leftovers.js'
import type { LogFile } from './log-file.js'
import { commandFor, type Programs, runProgram } from './programs.js'

const FAST_MS = 10_000
const IMMEDIATE_MS = 5_000
const STEADY_MS = 30_000
const BACKOFF_MS = [50, 500, 2_000, 5_000, 10_000]

export interface Postmaster {
  pid(): number
  onExit(listener: (detail: string) => void): void
  stop(): Promise<void>
}

interface Options {
  programs: Programs
  cluster: string
  settings: Record<string, string>
  logFile: LogFile
  log: (line: string) => void
}

/** Starts the postmaster, waits until it takes connections, and starts it again whenever it ends unasked. */
export async function supervise(options: Options): Promise<Postmaster> {
  const listeners: ((detail: string) => void)[] = []
  const stopping = new AbortController()
  let child = await launch(options)
  await untilReady(child, options)
  const ended = keepRunning()
  return {
    pid: () => child.pid ?? 0,
    onExit: (listener) => listeners.push(listener),
    async stop() {
      stopping.abort()
      await end(child, options)
      await ended
    },
  }

  async function keepRunning(): Promise<void> {
    for (let failures = 0, started = Date.now(); ; ) {
      const detail = await exitOf(child)
      if (stopping.signal.aborted) return
      failures = Date.now() - started > STEADY_MS ? 0 : failures
      options.log(`${detail}; starting it again`)
      for (const listener of listeners) listener(detail)
      await pause(BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)]!)
      started = Date.now()
      await startAgain()
    }
  }

  /** A failed start leaves an ended child behind, which the loop meets as the next unexpected end. */
  async function startAgain(): Promise<void> {
    try {
      await endLeftovers(options.cluster, options.log)
      if (stopping.signal.aborted) return
      child = await launch(options)
      if (stopping.signal.aborted) return end(child, options)
      await untilReady(child, options)
      options.log('PostgreSQL is back')
    } catch (error) {
      if (!stopping.signal.aborted) options.log((error as Error).message)
    }
  }

  function pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
  }
}

async function launch({ programs, cluster, settings, logFile }: Options): Promise<ChildProcess> {
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, options } = commandFor(programs, 'postgres', ['-D', cluster, ...given])
  // Detached: Ctrl-C at the terminal is for the server, which stops its database when it has drained.
  const child = spawn(file, args, {
    ...options,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  })
  await once(child, 'spawn')
  child.unref()
  if (!programs.deathSignal && process.platform !== 'win32') endWithUs(child, options)
  return child
}

/** Where there is no `setpriv`: a shell whose input closes when we die, however we die. */
function endWithUs(child: ChildProcess, options: object): void {
  const watch = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', `${child.pid}`], {
    ...options,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  child.once('exit', () => watch.kill('SIGKILL'))
}

/** Looks where pg_ctl looks: the postmaster writes its state into the last line of its pid file. */
async function untilReady(child: ChildProcess, { cluster, logFile }: Options): Promise<void> {
  for (;;) {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return
    if (hasExited(child)) {
      throw new Error(`PostgreSQL did not start (${await exitOf(child)}):\n${await logFile.tail()}`)
    }
    await delay(10)
  }
}

async function end(child: ChildProcess, { programs, cluster }: Options): Promise<void> {
  child.ref()
  if (await endBy('SIGINT', 'fast', FAST_MS)) return
  if (await endBy('SIGQUIT', 'immediate', IMMEDIATE_MS)) return
  child.kill('SIGKILL')
  await exitOf(child)

  async function endBy(signal: NodeJS.Signals, mode: string, within_ms: number): Promise<boolean> {
    if (hasExited(child)) return true
    if (process.platform !== 'win32') child.kill(signal)
    else await runProgram(programs, 'pg_ctl', ['stop', '-D', cluster, '-m', mode, '--no-wait'])
    await Promise.race([exitOf(child), delay(within_ms, undefined, { ref: false })])
    return hasExited(child)
  }
}

async function exitOf(child: ChildProcess): Promise<string> {
  if (!hasExited(child)) await once(child, 'exit')
  return `PostgreSQL ended with ${child.signalCode ?? `code ${child.exitCode}`}`
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
