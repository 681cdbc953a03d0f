import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Linux knows a priority for each thread, and names the one that asks here. */
const SELF = '/proc/thread-self'
const LOWER = 10
/** So many questions at once are answered by all threads of the pool, unless some are slow to wake. */
const QUESTIONS = 64
const ROUNDS = 50
/** What Node has, unless its setting says otherwise. */
const POOL_THREADS = Number(process.env.UV_THREADPOOL_SIZE) || 4
/** Threads of the pool live as long as the process. */
const lowered = new Set<string>()

const LOWEST = 19

function lower(thread: string, to = LOWER) {
  const id = Number(basename(thread))
  if (getPriority(id) < to) setPriority(id, to)
}

/** So much below what a process has by itself. */
const below = (pid: number) => Math.min(LOWEST, getPriority(pid) + LOWER)

/** Lets the thread that calls this give way to the event loop where cores are short. */
export function giveWay() {
  try {
    lower(readlinkSync(SELF))
  } catch {
    // Another system: all threads are equal.
  }
}

/** Lets the threads that hash passwords, decode pictures and read files give way to the event loop. */
export async function lowerPool() {
  try {
    for (let round = 0; round < ROUNDS && lowered.size < POOL_THREADS; round += 1) {
      const asked = Array.from({ length: QUESTIONS }, () => readlink(SELF))
      for (const thread of new Set(await Promise.all(asked))) {
        lower(thread)
        lowered.add(thread)
      }
    }
  } catch {
    // Another system: all threads are equal.
  }
}

/** Lets all threads of this process give way to other processes: for commands that work beside a server. */
export function lowerProcess() {
  try {
    const to = below(process.pid)
    for (const thread of readdirSync('/proc/self/task')) lower(thread, to)
  } catch {
    // Another system: all threads are equal.
  }
}

/** Whether this process serves a connection of ours: its title names the address and the port that the connection comes from. */
function serves(pid: number, localPort: number | undefined): boolean {
  const title = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  const from = localPort === undefined ? '[local]' : `(${localPort})`
  return title.startsWith('postgres: ') && title.includes(from)
}

/**
 * Lets a process of the database give way to others, where it runs on this machine and under an account that we may do this
 * for. It cannot be taken back: the connection must not serve requests later.
 */
export function lowerBackend(pid: number, localPort: number | undefined) {
  try {
    if (serves(pid, localPort)) lower(String(pid), below(pid))
  } catch {
    // Another machine, container, account or system: the database serves all connections alike.
  }
}
