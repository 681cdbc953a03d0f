import { writeSync } from 'node:fs'
import { get } from 'node:http'
import { workerData } from 'node:worker_threads'

/** Asks `/livez` again and again, from a thread that a stalled server does not stall with it. */
export interface LivezData {
  url: string
  /** How many answers came, and the slowest of them in ms since it was last set to 0. */
  shared: Int32Array
}

const PAUSE_MS = 10
const STUCK_MS = 20_000
const { url, shared } = workerData as LivezData

function ask() {
  const began = performance.now()
  const stuck = setTimeout(endProcess, STUCK_MS)
  get(`${url}/livez`, (response) => {
    response.resume()
    response.on('end', () => {
      clearTimeout(stuck)
      const took_ms = Math.ceil(performance.now() - began)
      if (took_ms > Atomics.load(shared, 1)) Atomics.store(shared, 1, took_ms)
      Atomics.add(shared, 0, 1)
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
