// Asks /livez from a thread of its own, so that the load generator does not count as the server's latency. On a machine with
// too few cores an answer also waits until the server's main thread gets one, or this one; what is left is the server's own delay.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 25
const SLOW_MS = 250
const figures = {
  asked: 0,
  failed: 0,
  worst_ms: 0,
  over_250_ms: 0,
  /** Without the time in which a thread was ready to run and had no core. */
  worst_own_ms: 0,
  own_over_250_ms: 0,
  /** What the main thread worked while an answer was waited for. */
  worst_cpu_ms: 0,
}
let stopped = false

/** The time that a thread had a core, and that it was ready and had none. */
function scheduled(thread) {
  const [ran, waited] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')
  return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 }
}

const look = () => ({
  at: performance.now(),
  server: scheduled(`${workerData.pid}/task/${workerData.pid}`),
  here: scheduled('thread-self'),
})

function ask() {
  const began = look()
  return new Promise((resolve) => {
    const settle = (ok) => {
      const now = look()
      const took = now.at - began.at
      const starved = now.server.waited - began.server.waited + (now.here.waited - began.here.waited)
      const own = Math.max(0, took - starved)
      figures.asked += 1
      if (!ok) figures.failed += 1
      if (took > SLOW_MS) figures.over_250_ms += 1
      if (own > SLOW_MS) figures.own_over_250_ms += 1
      figures.worst_ms = Math.max(figures.worst_ms, Math.round(took))
      figures.worst_own_ms = Math.max(figures.worst_own_ms, Math.round(own))
      figures.worst_cpu_ms = Math.max(figures.worst_cpu_ms, Math.round(now.server.ran - began.server.ran))
      resolve()
    }
    get(`${workerData.url}/livez`, { agent: false }, (answer) => {
      answer.resume().on('end', () => settle(answer.statusCode === 200))
    }).on('error', () => settle(false))
  })
}

parentPort.on('message', () => {
  stopped = true
})
while (!stopped) {
  await ask()
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}
parentPort.postMessage(figures)
parentPort.close()
