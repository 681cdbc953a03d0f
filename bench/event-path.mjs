// node bench/event-path.mjs: what each step behind a send costs, one step after the other: write, place and fan out, seal,
// deliver. SENDS_MS is how long messages are sent. Kept in bench/results/event-path.json, from which bench/simulate.mjs works.
import './help.mjs'
import { mkdirSync, writeFileSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '../server/dist/platform/config.js'
import { startServer } from '../server/dist/serve.js'
import { describeMachine, readCpu } from './machine/accounting.mjs'
import { openLoad } from './machine/measure.mjs'
import { makeFolder, startChild } from './machine/processes.mjs'
import { table } from './report/print.mjs'
import { makeStage } from './stage/people.mjs'
import { posts } from './stage/requests.mjs'

const SENDS_MS = Number(process.env.SENDS_MS ?? 4_000)

async function portOf(child) {
  for (;;) {
    const { port } = await child.ask({})
    if (port) return port
  }
}

const folder = await makeFolder()
const receiver = startChild('./receiver.mjs')
const server = await startServer(
  readConfig({
    PORT: '0',
    PARLEY_DATA_DIR: folder.path,
    PARLEY_RATE_LIMITS: 'off',
    PARLEY_LOG_REQUESTS: 'off',
  }),
  { log: pino({ level: 'silent' }), work: 'paused' },
)
const load = openLoad()
try {
  const { pool } = server.ctx
  const hook = `http://127.0.0.1:${await portOf(receiver)}/hook`
  const stage = await makeStage(pool, hook)
  const workers = new Map(server.workers.map((worker) => [worker.name, worker]))
  const named = { server: { pid: process.pid, alone: true }, database: { pid: server.postgres.pid } }
  const count = async (text) => Number((await pool.query(text)).rows[0].count)

  /** CPU time of this process and of the database for a step, for each of what it worked on. */
  async function measure(step) {
    const [before, began] = [readCpu(named), performance.now()]
    const things = await step()
    const [after, took_ms] = [readCpu(named), performance.now() - began]
    const each = (name) => Math.round((after.parts[name] - before.parts[name]) / things)
    return {
      things,
      node_us: each('server'),
      database_us: each('database'),
      wall_us: Math.round((took_ms * 1000) / things),
    }
  }

  const target = { host: '127.0.0.1', port: Number(new URL(server.url).port) }
  const drain = async (name) => {
    while ((await workers.get(name).drain()) > 0);
  }
  // The load warms up before it counts, so that what was written is asked of the database.
  const send = async () => {
    const before = await count('select count(*) from messages')
    await load.run({ kind: 'http', target, requests: posts(stage), connections: 32, measure_ms: SENDS_MS })
    return (await count('select count(*) from messages')) - before
  }
  // A relay that begins with a backlog goes one by one at first.
  await drain('relay')
  await send()
  for (const name of ['relay', 'sealing', 'search', 'deliveries']) await drain(name)
  const steps = { send: await measure(send) }
  steps.place = await measure(async () => {
    const waiting = await count('select count(*) from waiting_events')
    await drain('relay')
    return waiting
  })
  steps.seal = await measure(async () => {
    const waiting = await count('select sum(cardinality(message_ids)) as count from audit_waiting')
    await drain('sealing')
    return waiting
  })
  const due = await count('select count(*) from deliveries')
  steps.deliver = await measure(async () => {
    await drain('deliveries')
    return due
  })
  const figures = { machine: describeMachine(), bots: due / steps.send.things, steps }
  mkdirSync(new URL('./results/', import.meta.url), { recursive: true })
  writeFileSync(
    new URL('./results/event-path.json', import.meta.url),
    `${JSON.stringify(figures, null, 2)}\n`,
  )
  const rows = Object.entries(steps).map(([name, { things, node_us, database_us }]) => [
    name,
    things,
    node_us,
    database_us,
  ])
  console.log(table(['step', 'of how many', 'Node µs each', 'database µs each'], rows))
} finally {
  await load.stop()
  await receiver.stop()
  await server.stop()
  await folder.remove()
}
