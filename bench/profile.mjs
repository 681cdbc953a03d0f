// npm run bench -- --profile: what the server and the database spend their time on, path by path.
import pg from 'pg'
import { cpuBetween, readCpu } from './machine/accounting.mjs'
import { openInspector, summarise } from './machine/inspector.mjs'
import { databaseOf, startServer } from './machine/processes.mjs'
import { table } from './report/print.mjs'
import { fillHistory } from './stage/history.mjs'
import { chatLists, deepPages, latestPages, posts, searches, userLists } from './stage/requests.mjs'
import { furnish, openWorkspace, settle } from './workspace.mjs'

const PORT = 9339
const STATEMENTS = `
  select regexp_replace(query, '\\s+', ' ', 'g') as query, calls::int, total_exec_time as ms, total_exec_time / greatest(calls, 1) as each_ms, rows::int
  from pg_stat_statements where query not like '%pg_stat%' order by total_exec_time desc limit 10`

async function withStatements(space) {
  await space.db.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
  await space.db.query(`alter system set pg_stat_statements.track_planning = on`)
  await space.db.end()
  await space.server.stop()
  space.server = await startServer({
    folder: space.folder,
    node_options: [`--inspect=127.0.0.1:${PORT}`],
    quiet: true,
  })
  space.db = new pg.Client({ connectionString: await databaseOf(space.folder) })
  await space.db.connect()
  await space.db.query('create extension if not exists pg_stat_statements')
}

const share = (part) => `${(part * 100).toFixed(1)} %`

export async function profile(options, say) {
  const space = await openWorkspace()
  const texts = []
  let inspector
  try {
    await furnish(space)
    await fillHistory(space.db, space.stage, { have: 0, want: Number(options.messages ?? 100_000), say })
    await withStatements(space)
    inspector = await openInspector(PORT)
    const { stage, server } = space
    const paths = {
      'POST /messages': posts(stage),
      'POST /messages, one chat': posts(stage, () => [stage.hall]),
      'GET /messages, latest': latestPages(stage),
      'GET /messages, deep': await deepPages(stage, server.url),
      'GET /chats': chatLists(stage),
      'GET /users': userLists(stage),
      'GET /search/messages': searches(stage),
    }
    const named = { server: { pid: server.pid, alone: true }, database: { pid: server.pid } }
    for (const [name, requests] of Object.entries(paths)) {
      const run = (measure_ms) =>
        space.load.run({ kind: 'http', target: server.target, requests, measure_ms }, named)
      await run(2000)
      await settle(space)
      await space.db.query('select pg_stat_statements_reset()')
      const before = readCpu(named)
      const { value, profile } = await inspector.profile(async () => {
        const slice = await run(4000)
        await settle(space)
        return slice
      })
      // With what comes after an answer: events placed, deliveries made, the log sealed.
      const whole = cpuBetween(before, readCpu(named)).parts
      const { places, functions } = summarise(profile)
      const { rows } = await space.db.query(STATEMENTS)
      const count = Math.max(1, value.count)
      const each = (us) => Math.round(us / count)
      texts.push(
        `\n## ${name}: ${Math.round(value.per_second)} /s, ${each(value.parts.server)} + ${each(value.parts.database)} µs (server + database) inside the window, others ${share(value.foreign)}`,
        `server and database from first to settled: ${Math.round(whole.server / 1000)} + ${Math.round(whole.database / 1000)} ms\n`,
        table(
          ['server, by place', 'self'],
          places.map(([place, part]) => [place, share(part)]),
        ),
        '',
        table(
          ['server, by function', 'self'],
          functions.map(([place, part]) => [place, share(part)]),
        ),
        '',
        table(
          ['statement', 'calls', 'ms', 'each ms', 'rows'],
          rows.map((row) => [
            row.query.slice(0, 110),
            row.calls,
            Math.round(row.ms),
            row.each_ms.toFixed(3),
            row.rows,
          ]),
        ),
      )
      say(`${name} is profiled`)
    }
  } finally {
    // A server that is looked into does not end before the looking does.
    inspector?.close()
    await space.db.end().catch(() => {})
    await space.server.stop()
    await space.close()
  }
  return { figures: {}, text: texts.join('\n') }
}
