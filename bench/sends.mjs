// node bench/sends.mjs: what a send costs with and without an Idempotency-Key, over one connection and over 32, beside bare HTTP with the
// same bytes; with --profile the functions of the server and the statements of the database that use the time.
import pg from 'pg'
import { readArgs } from './args.mjs'
import { describeMachine } from './machine/accounting.mjs'
import { openInspector, summarise } from './machine/inspector.mjs'
import { databaseOf, startServer } from './machine/processes.mjs'
import { median } from './machine/rounds.mjs'
import { table } from './report/print.mjs'
import { fillHistory } from './stage/history.mjs'
import { posts } from './stage/requests.mjs'
import { furnish, openWorkspace } from './workspace.mjs'

const PORT = 9342
const KINDS = {
  'bare, 32': { bare: true },
  'send, 32': {},
  'with key, 32': { keyed: true },
  'send, 1': { connections: 1 },
  'with key, 1': { keyed: true, connections: 1 },
  'one chat, 32': { hall: true },
}

const options = readArgs({
  usage: 'node bench/sends.mjs [options]',
  about: 'What a send costs the server and the database, on a workspace of its own.',
  options: {
    kinds: { value: 'list', about: `with semicolons between them, of: ${Object.keys(KINDS).join('; ')}` },
    messages: { value: 'n', about: 'how many messages the workspace has (20 000)' },
    seconds: { value: 'n', about: 'how long each slice is measured (3)' },
    rounds: { value: 'n', about: 'slices of each kind, of which the median counts (3)' },
    profile: { about: 'print what the server and the database use their time for' },
  },
})
const number = (name, usual) => Number(options[name] ?? usual)
const kinds = options.kinds?.split(';').map((kind) => kind.trim()) ?? Object.keys(KINDS)
const measure_ms = 1000 * number('seconds', 3)
const share = (part) => `${(part * 100).toFixed(1)} %`

const STATEMENTS = `
  select regexp_replace(query, '\\s+', ' ', 'g') as query, calls::int, total_exec_time + total_plan_time as ms
  from pg_stat_statements where query not like '%pg_stat%' order by 3 desc`

/** The server of the workspace again, where its functions and the statements of its database can be looked at. */
async function restart(space) {
  await space.db.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
  await space.db.query('alter system set pg_stat_statements.track_planning = on')
  await space.db.end()
  await space.server.stop()
  const node_options = options.profile ? [`--inspect=127.0.0.1:${PORT}`] : []
  space.server = await startServer({ folder: space.folder, node_options, quiet: true })
  space.db = new pg.Client({ connectionString: await databaseOf(space.folder) })
  await space.db.connect()
  await space.db.query('create extension if not exists pg_stat_statements')
  return options.profile ? openInspector(PORT) : undefined
}

const space = await openWorkspace()
let inspector
try {
  await furnish(space)
  await fillHistory(space.db, space.stage, { have: 0, want: number('messages', 20_000) })
  inspector = await restart(space)
  const { server, stage, db } = space
  const named = {
    server: { pid: server.pid, alone: true },
    database: { pid: server.pid },
    bare: { pid: space.bare.pid, alone: true },
  }
  await space.bare.ask({ post: 'x'.repeat(500), get: '' })
  const rooms = posts(stage)
  const hall = posts(stage, () => [stage.hall])

  async function run(kind) {
    const { bare, keyed, connections = 32, hall: inHall } = KINDS[kind]
    const target = bare ? space.bareTarget : server.target
    await db.query('select pg_stat_statements_reset()')
    const requests = inHall ? hall : rooms
    const plan = { kind: 'http', target, requests, keyed, connections, measure_ms, warm_ms: 500 }
    const slice = await space.load.run(plan, named)
    const { rows: statements } = await db.query(STATEMENTS)
    return { ...slice, statements }
  }

  const slices = new Map(kinds.map((kind) => [kind, []]))
  for (const kind of kinds) await run(kind)
  for (let round = 0; round < number('rounds', 3); round += 1)
    for (const kind of kinds) {
      if (!inspector) slices.get(kind).push(await run(kind))
      else {
        const { value, profile } = await inspector.profile(() => run(kind))
        slices.get(kind).push(value)
        const { places, functions } = summarise(profile)
        for (const parts of [places, functions])
          process.stdout.write(
            `\n${table(
              [kind, 'of its time'],
              parts.map(([name, part]) => [name, share(part)]),
            )}\n`,
          )
      }
    }
  if (options.profile)
    for (const [kind, list] of slices) {
      const { statements, count } = list.at(-1)
      const lines = statements
        .slice(0, 16)
        .map(({ query, calls, ms }) => [
          query.slice(0, 110),
          calls,
          Math.round(ms),
          ((ms * 1000) / count).toFixed(1),
        ])
      process.stdout.write(`\n${kind}\n${table(['statement', 'calls', 'ms', 'µs a message'], lines)}\n`)
    }
  const rows = [...slices].map(([kind, list]) => {
    const middle = (of) => median(list.map(of))
    const each = (part) => Math.round(middle(({ parts, count }) => parts[part] / count))
    return [
      kind,
      Math.round(middle(({ per_second }) => per_second)),
      each(KINDS[kind].bare ? 'bare' : 'server'),
      each('database'),
      middle(
        ({ statements, count }) => statements.reduce((sum, { calls }) => sum + calls, 0) / count,
      ).toFixed(2),
      middle(({ p50_ms }) => p50_ms)?.toFixed(1),
      middle(({ p99_ms }) => p99_ms)?.toFixed(1),
      list.reduce((sum, { failed }) => sum + failed, 0),
      share(middle(({ foreign }) => foreign)),
      share(middle(({ steal }) => steal)),
    ]
  })
  const heads = 'send,/s,Node µs,database µs,statements,p50 ms,p99 ms,failed,others,steal'.split(',')
  process.stdout.write(`\n${describeMachine()}\n\n${table(heads, rows)}\n`)
} finally {
  inspector?.close()
  await space.db.end().catch(() => {})
  await space.server.stop()
  await space.close()
}
