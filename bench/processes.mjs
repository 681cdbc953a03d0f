// node bench/processes.mjs: CPU time of a request with one process and with three that share its load, each set on a database and a
// Redis of its own. Bare HTTP servers say how much of the difference is the machine's; one process with a third of the load says how
// much comes of fewer requests at once in a process.
import { spawn } from 'node:child_process'
import { readArgs } from './args.mjs'
import { describeMachine } from './machine/accounting.mjs'
import { openLoad } from './machine/measure.mjs'
import { freePort, startChild, watched } from './machine/processes.mjs'
import { median } from './machine/rounds.mjs'
import { table } from './report/print.mjs'
import { fillHistory } from './stage/history.mjs'
import { makeStage } from './stage/people.mjs'
import { active, chatLists, latestPages, posts, profiles } from './stage/requests.mjs'
import { openCluster } from './torture/cluster.mjs'

const BUSY_CHATS = 60
/** More than a page in every one of them. */
const MESSAGES = 100 * BUSY_CHATS
/** Rates are counted, and nobody is refused. */
const WINDOWS = ['messages-chat', 'messages-all', 'messages-read', 'other', 'session-read', 'chats-page']
  .map((name) => `${name}=1000000/1`)
  .join(',')

async function startRedis() {
  const port = await freePort()
  const words = ['--port', String(port), '--save', '', '--bind', '127.0.0.1']
  const child = watched(spawn('redis-server', words, { stdio: 'ignore' }))
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid, stop: () => child.kill('SIGTERM') }
}

const several = (list, times) => Array.from({ length: times }, () => list).flat()

const KINDS = {
  send: posts,
  'latest page': (stage) => latestPages(stage),
  'five latest pages to a send': (stage) => [...posts(stage), ...several(latestPages(stage), 5)],
  'list of chats': chatLists,
  profile: profiles,
  mix(stage) {
    const [sends, pages] = [posts(stage), latestPages(stage)]
    const few = Math.round(sends.length / active(stage).length)
    const others = [...several(chatLists(stage), few), ...several(profiles(stage), few)]
    return [...sends, ...several(pages, 5), ...others]
  },
}

/** The chats where something goes on: each page is asked for often enough to be in the cache of every process. */
function busy(stage) {
  const rooms = stage.rooms.filter((id) => !stage.withBot.has(id)).slice(0, BUSY_CHATS)
  const writers = stage.writers.map((writer) => ({
    ...writer,
    rooms: writer.rooms.filter((id) => rooms.includes(id)),
  }))
  return { ...stage, rooms, writers: writers.filter((writer) => writer.rooms.length > 0) }
}

/** One run of the load over all processes, each with its share of the requests and connections. */
async function spread({ targets, named }, requests, { rate, warm_s, seconds, part = 1 }) {
  const count = targets.length / part
  const slices = await Promise.all(
    targets.map((target, n) =>
      loads[n].run(
        {
          kind: 'http',
          target,
          requests,
          connections: Math.ceil(30 / count),
          rate: rate > 0 ? rate / count : undefined,
          seed: n + 1,
          warm_ms: warm_s * 1000,
          measure_ms: seconds * 1000,
        },
        n === 0 ? named : {},
      ),
    ),
  )
  const done = slices.reduce((sum, slice) => sum + slice.count, 0)
  const { parts, foreign } = slices[0]
  const node = Object.entries(parts).filter(([name]) => name.startsWith('node'))
  const each = (us = 0) => us / done
  return {
    node: each(node.reduce((sum, [, us]) => sum + us, 0)),
    database: each(parts.database),
    redis: each(parts.redis),
    per_second: done / seconds,
    failed: slices.reduce((sum, slice) => sum + slice.failed, 0),
    foreign,
  }
}

const namedNodes = (pids) => Object.fromEntries(pids.map((pid, n) => [`node${n}`, { pid, alone: true }]))
const local = (port) => ({ host: '127.0.0.1', port: Number(port) })

async function open(count) {
  const redis = await startRedis()
  const cluster = await openCluster({
    say: () => {},
    servers: count,
    redis_url: redis.url,
    limits: true,
    env: { PARLEY_RATE_WINDOWS: WINDOWS },
  })
  const stage = busy(await makeStage(cluster.pool, ''))
  await fillHistory(cluster.pool, stage, { have: 0, want: MESSAGES, say: () => {} })
  const targets = cluster.urls.map((url) => local(new URL(url).port))
  const named = {
    database: { pid: cluster.database_pid() },
    redis: { pid: redis.pid, alone: true },
    ...namedNodes(cluster.servers().map(({ pid }) => pid)),
  }
  return {
    name: String(count),
    count,
    run: (kind, given) => spread({ targets, named }, KINDS[kind](stage), given),
    async close() {
      await cluster.close()
      redis.stop()
    },
  }
}

async function portOf(child) {
  for (;;) {
    const { port } = await child.ask({ get: JSON.stringify({ data: 'x'.repeat(700) }) })
    if (port) return port
  }
}

/** Processes that share nothing and do next to nothing: what they cost more together, the machine does. */
async function openBare(count) {
  const children = Array.from({ length: count }, () => startChild('./bare-http.mjs'))
  const targets = []
  for (const child of children) targets.push(local(await portOf(child)))
  const named = namedNodes(children.map(({ pid }) => pid))
  const requests = [{ method: 'GET', path: '/', token: '' }]
  return {
    name: String(count),
    count,
    run: (_, given) => spread({ targets, named }, requests, given),
    close: () => Promise.all(children.map((child) => child.stop())),
  }
}

/** The same process with as much as each of three gets. */
const third = (one) => ({
  ...one,
  name: '1, a third of the load',
  run: (kind, given) => one.run(kind, { ...given, part: 1 / 3 }),
  close: () => {},
})

const options = readArgs({
  usage: 'node bench/processes.mjs [options]',
  about:
    'CPU time of a request with one process and with three that share its load, each set on a database and a Redis of its own.',
  options: {
    rate: { value: 'n', about: 'requests a second over all processes (200; 0: as many as go through)' },
    seconds: { value: 'n', about: 'how long each slice is measured (6)' },
    warm: {
      value: 'n',
      about: 'seconds of the same load at full speed before it is measured, for each process (6)',
    },
    rounds: { value: 'n', about: 'slices of each kind and set, of which the median counts (3)' },
    kinds: { value: 'list', about: `with commas between them, of: ${Object.keys(KINDS).join(', ')}` },
  },
})
const { rate, warm, seconds, rounds } = {
  rate: Number(options.rate ?? 200),
  warm: Number(options.warm ?? 6),
  seconds: Number(options.seconds ?? 6),
  rounds: Number(options.rounds ?? 3),
}
const BARE = 'bare HTTP'
const kinds = options.kinds?.split(',') ?? Object.keys(KINDS)
const [one, three] = [await open(1), await open(3)]
const sets = [one, third(one), three]
const [oneBare, threeBare] = [await openBare(1), await openBare(3)]
const bareSets = [oneBare, third(oneBare), threeBare]
const loads = [0, 1, 2].map(() => openLoad())

/** Of one kind of request: a row for each set. */
async function compare(kind, sets) {
  const slices = new Map(sets.map((set) => [set, []]))
  // Code that has not run often is not compiled yet, and every process has caches of its own.
  for (const set of sets) await set.run(kind, { rate: 0, warm_s: 0, seconds: warm * set.count })
  for (let round = 0; round < rounds; round += 1)
    for (const set of sets) slices.get(set).push(await set.run(kind, { rate, warm_s: 1, seconds }))
  const middle = (set, of) => median(slices.get(set).map(of))
  const both = ({ node, database }) => node + database
  return sets.map((set) => [
    kind,
    set.name,
    Math.round(middle(set, ({ per_second }) => per_second)),
    ...['node', 'database', 'redis'].map((name) => Math.round(middle(set, (slice) => slice[name]))),
    ...sets.slice(0, 2).map((other) => `${(middle(set, both) / middle(other, both)).toFixed(2)} ×`),
    slices.get(set).reduce((sum, { failed }) => sum + failed, 0),
    `${Math.round(100 * middle(set, ({ foreign }) => foreign))} %`,
  ])
}

try {
  const rows = await compare(BARE, bareSets)
  for (const kind of kinds) rows.push(...(await compare(kind, sets)))
  const heads = 'request,processes,/s,Node µs,database µs,Redis µs,of one,of a third,failed,others'.split(',')
  console.log(`${describeMachine()}\n\n${table(heads, rows)}`)
} finally {
  for (const load of loads) await load.stop()
  for (const set of [...sets, ...bareSets]) await set.close()
}
