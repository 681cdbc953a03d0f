// npm run bench -- --scale: one, two and three server processes on one database of their own, with Redis when there is one.
import { execFileSync, spawn } from 'node:child_process'
import { describeMachine } from './machine/accounting.mjs'
import { openLoad } from './machine/measure.mjs'
import { freePort } from './machine/processes.mjs'
import { interleave } from './machine/rounds.mjs'
import { table } from './report/print.mjs'
import { makeStage } from './stage/people.mjs'
import { latestPages, posts } from './stage/requests.mjs'
import { openCluster } from './torture/cluster.mjs'

const PROCESSES = [1, 2, 3]

async function startRedis() {
  try {
    execFileSync('redis-server', ['--version'])
  } catch {
    return undefined
  }
  const port = await freePort()
  const child = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
    stdio: 'ignore',
  })
  return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill('SIGTERM') }
}

/** Each process gets its share of the connections; the requests are the same. */
async function spread(loads, targets, requests, times) {
  const connections = Math.floor(32 / targets.length)
  const slices = await Promise.all(
    targets.map((target, n) =>
      loads[n].run({ kind: 'http', target, requests, connections, seed: n + 1, ...times }),
    ),
  )
  const sum = (key) => slices.reduce((total, slice) => total + slice[key], 0)
  return {
    ...slices[0],
    count: sum('count'),
    failed: sum('failed'),
    per_second: sum('per_second'),
    p99_ms: Math.max(...slices.map((slice) => slice.p99_ms)),
  }
}

/** One token, many requests at once over so many processes: how many are let through. */
async function admitted(urls, writer) {
  const calls = Array.from({ length: 150 }, (_, n) =>
    fetch(`${urls[n % urls.length]}/v1/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${writer.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        message: { entity_id: writer.rooms[n % writer.rooms.length], content: 'hello' },
      }),
    }).then(({ status }) => status),
  )
  const statuses = await Promise.all(calls)
  return statuses.filter((status) => status === 201).length
}

/** The limit of a token is 30 messages in 5 seconds: together with Redis, by each process for itself without. */
async function limits(redis_url) {
  const cluster = await openCluster({ say: () => {}, servers: 3, limits: true, redis_url })
  try {
    const stage = await makeStage(cluster.pool, '')
    const found = []
    for (const count of PROCESSES)
      found.push(await admitted(cluster.urls.slice(0, count), stage.writers[count]))
    return found
  } finally {
    await cluster.close()
  }
}

export async function scaleOut(options, say) {
  const redis = await startRedis()
  const cluster = await openCluster({ say: () => {}, servers: 3 })
  const loads = PROCESSES.map(() => openLoad())
  const times = { measure_ms: options.quick ? 1500 : 3000 }
  try {
    const stage = await makeStage(cluster.pool, '')
    const targets = cluster.urls.map((url) => ({
      host: new URL(url).hostname,
      port: Number(new URL(url).port),
    }))
    const contenders = PROCESSES.flatMap((count) => [
      { name: `POST, ${count}`, run: () => spread(loads, targets.slice(0, count), posts(stage), times) },
      {
        name: `GET latest, ${count}`,
        run: () => spread(loads, targets.slice(0, count), latestPages(stage), times),
      },
    ])
    const rounds = options.quick ? 1 : 3
    const figures = await interleave(contenders, { rounds, until: performance.now() + 180_000, say })
    const row = (kind, count) => {
      const entry = figures[`${kind}, ${count}`]
      const first = figures[`${kind}, 1`]
      return [
        kind,
        count,
        Math.round(entry.per_second),
        `${(entry.per_second / first.per_second).toFixed(2)} ×`,
        entry.p50_ms?.toFixed(1),
        entry.p99_ms?.toFixed(1),
        entry.failed,
        `${Math.round(entry.foreign * 100)} %`,
      ]
    }
    const rows = ['POST', 'GET latest'].flatMap((kind) => PROCESSES.map((count) => row(kind, count)))
    const alone = await limits(undefined)
    const together = redis ? await limits(redis.url) : PROCESSES.map(() => 'no Redis here')
    const limited = PROCESSES.map((count, n) => [count, alone[n], together[n]])
    const text = table(['request', 'processes', '/s', 'of one', 'p50 ms', 'p99 ms', 'failed', 'others'], rows)
    const machine = describeMachine()
    return {
      figures: { machine, limits: { alone, together }, ...figures },
      text: `${machine}\n\n${text}\n\n${table(['processes', 'let through of 150 by one token, each for itself', 'with Redis'], limited)}`,
    }
  } finally {
    for (const load of loads) await load.stop()
    await cluster.close()
    redis?.stop()
  }
}
