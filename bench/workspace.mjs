// Everything a run needs, started: the server on a database of its own, its stage, bare servers, and the load process.
import pg from 'pg'
import { openLoad } from './machine/measure.mjs'
import { databaseOf, makeFolder, startChild, startServer } from './machine/processes.mjs'
import { makeStage } from './stage/people.mjs'

async function portOf(child) {
  for (;;) {
    const { port } = await child.ask({})
    if (port) return port
  }
}

export async function openWorkspace() {
  const folder = await makeFolder()
  const opened = [folder.remove]
  const close = async () => {
    for (const end of opened.reverse()) await end()
  }
  try {
    const receiver = startChild('./receiver.mjs')
    opened.push(receiver.stop)
    const bare = startChild('./bare-http.mjs')
    opened.push(bare.stop)
    const server = await startServer({ folder: folder.path })
    opened.push(server.stop)
    const url = await databaseOf(folder.path)
    const db = new pg.Client({ connectionString: url })
    await db.connect()
    opened.push(() => db.end().catch(() => {}))
    const hook = { host: '127.0.0.1', port: await portOf(receiver) }
    const load = openLoad()
    opened.push(load.stop)
    return {
      folder: folder.path,
      server,
      db,
      database_url: url,
      receiver,
      hook,
      bare,
      bareTarget: { host: '127.0.0.1', port: await portOf(bare) },
      load,
      stage: undefined,
      /** Whose CPU time is read: the server process, its database, the bare server. */
      named: {
        server: { pid: server.pid, alone: true },
        database: { pid: server.pid },
        bare: { pid: bare.pid, alone: true },
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** People, rooms and bots; not part of the first memory reading. */
export async function furnish(space, size) {
  space.stage = await makeStage(space.db, `http://${space.hook.host}:${space.hook.port}/hook`, size)
}

/** Waits until nothing is left of what was sent: events placed, deliveries made, the log sealed. */
export async function settle({ db }, at_most_ms = 30_000) {
  const began = performance.now()
  for (;;) {
    const { rows } = await db.query(
      `select (select count(*) from waiting_events) + (select count(*) from delivery_lanes)
         + (select count(*) from audit_events where hash is null) + (select count(*) from audit_waiting) as waiting`,
    )
    if (Number(rows[0].waiting) === 0) return performance.now() - began
    if (performance.now() - began > at_most_ms) return performance.now() - began
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** So long may a search go on that nobody waits for any more. */
const SEARCH_BUDGET_MS = 5500

/** A run of searches, and time for what it leaves behind, which must not count against what is measured next. */
export async function rested(run) {
  const slice = await run()
  await new Promise((resolve) => setTimeout(resolve, SEARCH_BUDGET_MS))
  return slice
}
