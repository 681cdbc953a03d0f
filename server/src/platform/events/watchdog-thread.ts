import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import pg from 'pg'
import { findPrimary } from '../db/primary.js'
import { HEARTBEATS, HIGHEST, LOWEST } from './round.js'
import { insertStuckSuspects } from './watchdog-queries.js'

export interface WatchdogData {
  shared: BigInt64Array
  database_url: string
  limit_ms: number
}

const LOOK_MS = 250
const NOTE_MS = 2_000

const { shared, database_url, limit_ms } = workerData as WatchdogData
const read = (place: number) => Number(Atomics.load(shared, place))

async function noteSuspects() {
  const client = new pg.Client({
    connectionString: await findPrimary(database_url),
    statement_timeout: NOTE_MS,
  })
  await client.connect()
  await insertStuckSuspects(client, read(LOWEST), read(HIGHEST))
}

/** The thread that writes the log is the one that is stuck. */
function log(msg: string, error?: unknown) {
  const line = {
    level: 60,
    time: Date.now(),
    pid: process.pid,
    msg,
    ...(error ? { error: String(error) } : {}),
  }
  writeSync(2, `${JSON.stringify(line)}\n`)
}

async function endProcess() {
  log('event loop stuck while relaying, ending the process')
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the database did not answer')), NOTE_MS)
  })
  try {
    await Promise.race([noteSuspects(), late])
  } catch (error) {
    log('noting suspect events failed', error)
  }
  // Signals that can be handled are handled by the thread that is stuck.
  process.kill(process.pid, 'SIGKILL')
}

// Looks are counted, and not time: a process that was stopped as a whole was not stuck.
let beats = -1
let silent = 0
const timer = setInterval(() => {
  const now = read(HEARTBEATS)
  silent = read(LOWEST) > 0 && now === beats ? silent + 1 : 0
  beats = now
  if (silent * LOOK_MS < limit_ms) return
  clearInterval(timer)
  void endProcess()
}, LOOK_MS)
