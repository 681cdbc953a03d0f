// Asks /livez from a thread of its own, so that the load beside it does not count as the server's slowness. On a machine with
// too few cores an answer also waits for its turn; the CPU time of the server's main thread tells what it did itself.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 25
const TICK_MS = 10
const figures = { asked: 0, failed: 0, worst_ms: 0, over_250_ms: 0, worst_cpu_ms: 0 }
let stopped = false

function cpuMs() {
  const { pid } = workerData
  const [, after] = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')
  const fields = after.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function ask() {
  const began = performance.now()
  const cpu = cpuMs()
  return new Promise((resolve) => {
    const settle = (ok) => {
      const took = performance.now() - began
      figures.asked += 1
      figures.worst_cpu_ms = Math.max(figures.worst_cpu_ms, cpuMs() - cpu)
      if (!ok) figures.failed += 1
      if (took > 250) figures.over_250_ms += 1
      figures.worst_ms = Math.max(figures.worst_ms, Math.round(took))
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
