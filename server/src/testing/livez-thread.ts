import { readFileSync, writeSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { workerData } from 'node:worker_threads'
import { ANSWERS, type LivezData, OWN_MS, WORKED_MS } from './watch-livez.js'

const PAUSE_MS = 10
const CONTROL_EVERY_MS = 5
const STUCK_MS = 20_000
const { url, shared } = workerData as LivezData
const agent = new Agent({ keepAlive: true })

function raise(place: number, value: number) {
  if (value > Atomics.load(shared, place)) Atomics.store(shared, place, value)
}

/** How long a thread had a core, and how long it was runnable without one; Linux only. */
function scheduled(thread: string) {
  try {
    const [ran, waited] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')
    return { ran_ms: Number(ran) / 1e6, waited_ms: Number(waited) / 1e6 }
  } catch {
    return { ran_ms: 0, waited_ms: 0 }
  }
}

let late_ms = 0
let last = performance.now()
setInterval(() => {
  const now = performance.now()
  late_ms += Math.max(0, now - last - CONTROL_EVERY_MS)
  last = now
}, CONTROL_EVERY_MS)

/** What the machine adds to every wait: the server's thread or this one without a core, or this one woken late. */
function look() {
  const server = scheduled(`self/task/${process.pid}`)
  const here = scheduled('thread-self')
  const starved_ms = server.waited_ms + Math.max(here.waited_ms, late_ms)
  return { at: performance.now(), ran_ms: server.ran_ms, starved_ms }
}

function ask() {
  const began = look()
  const stuck = setTimeout(endProcess, STUCK_MS)
  get(`${url}/livez`, { agent }, (response) => {
    response.resume()
    response.on('end', () => {
      clearTimeout(stuck)
      const now = look()
      raise(OWN_MS, Math.ceil(now.at - began.at - (now.starved_ms - began.starved_ms)))
      raise(WORKED_MS, Math.ceil(now.ran_ms - began.ran_ms))
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

ask()
