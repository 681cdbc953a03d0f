// node bench/reads.mjs: CPU time of each read, and with --profile the functions of the server that use it.
import { readArgs } from './args.mjs'
import { describeMachine } from './machine/accounting.mjs'
import { openInspector, summarise } from './machine/inspector.mjs'
import { startServer } from './machine/processes.mjs'
import { median } from './machine/rounds.mjs'
import { table } from './report/print.mjs'
import { fillHistory } from './stage/history.mjs'
import {
  chatLists,
  deepPages,
  latestPages,
  profiles,
  searches,
  singleChats,
  starts,
  timelines,
  unreadLists,
  userLists,
} from './stage/requests.mjs'
import { furnish, openWorkspace, rested } from './workspace.mjs'

const PORT = 9341
const KINDS = {
  profile: profiles,
  chat: singleChats,
  chats: chatLists,
  unread: unreadLists,
  users: userLists,
  start: starts,
  timeline: timelines,
  latest: (stage) => latestPages(stage),
  deep: (stage, url) => deepPages(stage, url),
  search: searches,
}

const options = readArgs({
  usage: 'node bench/reads.mjs [options]',
  about: 'CPU time of each read in the server and in the database, on a workspace of its own.',
  options: {
    kinds: { value: 'list', about: `with commas between them, of: ${Object.keys(KINDS).join(', ')}` },
    messages: { value: 'n', about: 'how many messages the workspace has (20 000)' },
    rate: { value: 'n', about: 'requests a second (200; 0: as many as 32 connections get through)' },
    seconds: {
      value: 'n',
      about: 'how long each slice is measured, after as long a warm-up at full speed (4)',
    },
    rounds: { value: 'n', about: 'slices of each kind, of which the median counts (1)' },
    profile: { about: 'print the functions of the server that use its time' },
  },
})
const number = (name, usual) => Number(options[name] ?? usual)
const kinds = options.kinds?.split(',') ?? Object.keys(KINDS)
const measure_ms = 1000 * number('seconds', 4)
const share = (part) => `${(part * 100).toFixed(1)} %`

/** The server of the workspace again, so that its functions can be looked at. */
async function restart(space) {
  await space.server.stop()
  const node_options = [`--inspect=127.0.0.1:${PORT}`]
  space.server = await startServer({ folder: space.folder, node_options, quiet: true })
  return openInspector(PORT)
}

const space = await openWorkspace()
let inspector
try {
  await furnish(space)
  await fillHistory(space.db, space.stage, { have: 0, want: number('messages', 20_000) })
  if (options.profile) {
    await space.db.end()
    inspector = await restart(space)
  }
  const { server, stage } = space
  const named = { server: { pid: server.pid, alone: true }, database: { pid: server.pid } }
  const rate = number('rate', 200)
  const target = { kind: 'http', target: server.target }
  const plan = { ...target, warm_ms: 500, measure_ms, ...(rate > 0 ? { rate, connections: 64 } : {}) }
  const rows = []
  for (const kind of kinds) {
    const requests = await KINDS[kind](stage, server.url)
    // Code that has not run often is not compiled yet.
    await space.load.run({ ...target, requests, warm_ms: 0, measure_ms })
    const slices = []
    const run = async () => {
      const slice = await space.load.run({ ...plan, requests }, named)
      slices.push(slice)
      return slice
    }
    const round = kind === 'search' ? () => rested(run) : run
    const rounds = async () => {
      for (let n = 0; n < number('rounds', 1); n += 1) await round()
    }
    if (inspector) {
      const { profile } = await inspector.profile(rounds)
      const { places, functions } = summarise(profile)
      for (const parts of [places, functions]) {
        const lines = parts.map(([name, part]) => [name, share(part)])
        process.stdout.write(`\n${table([kind, 'of its time'], lines)}\n`)
      }
    } else await rounds()
    const middle = (of) => median(slices.map(of))
    const each = (part) => Math.round(middle(({ parts, count }) => parts[part] / count))
    rows.push([
      kind,
      Math.round(middle(({ per_second }) => per_second)),
      each('server'),
      each('database'),
      middle(({ p50_ms }) => p50_ms)?.toFixed(1),
      middle(({ p99_ms }) => p99_ms)?.toFixed(1),
      slices.reduce((sum, { failed }) => sum + failed, 0),
      share(middle(({ foreign }) => foreign)),
    ])
  }
  const heads = 'read,/s,Node µs,database µs,p50 ms,p99 ms,failed,others'.split(',')
  process.stdout.write(`\n${describeMachine()}\n\n${table(heads, rows)}\n`)
} finally {
  inspector?.close()
  await space.db.end().catch(() => {})
  if (options.profile) await space.server.stop()
  await space.close()
}
