import { readFileSync, writeSync } from 'node:fs'
import { get } from 'node:http'
import { workerData } from 'node:worker_threads'
import { ANSWERS, CONTROL_MS, type LivezData, TOOK_MS, WORKED_MS } from './watch-livez.js'

const PAUSE_MS = 10
const CONTROL_EVERY_MS = 5
const STUCK_MS = 20_000
const TICK_MS = 10
const { url, shared } = workerData as LivezData

function raise(place: number, value: number) {
  if (value > Atomics.load(shared, place)) Atomics.store(shared, place, value)
}

/** The CPU time of the process's first thread, where the system tells it. */
function workedMs(): number {
  try {
    const [, after] = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8').split(') ')
    const fields = after?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

function ask() {
  const began = performance.now()
  const worked = workedMs()
  const stuck = setTimeout(endProcess, STUCK_MS)
  get(`${url}/livez`, (response) => {
    response.resume()
    response.on('end', () => {
      clearTimeout(stuck)
      raise(TOOK_MS, Math.ceil(performance.now() - began))
      raise(WORKED_MS, workedMs() - worked)
      Atomics.add(shared, ANSWERS, 1)
      setTimeout(ask, PAUSE_MS)
    })
  }).on('error', () => {
    clearTimeout(stuck)
    setTimeout(ask, PAUSE_MS)
  })
}

/** The thread of the test is the one that is stuck, so it can neither fail nor time out. */
function endProcess() {
  writeSync(2, `/livez did not answer for ${STUCK_MS} ms\n`)
  process.kill(process.pid, 'SIGKILL')
}

let last = performance.now()
setInterval(() => {
  const now = performance.now()
  raise(CONTROL_MS, Math.floor(now - last - CONTROL_EVERY_MS))
  last = now
}, CONTROL_EVERY_MS)
ask()
