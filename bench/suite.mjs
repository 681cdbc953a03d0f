// The figures of the table, each with its base.
import { measure } from './machine/measure.mjs'
import { makeBareTables, PAGE_STATEMENT, POST_STATEMENT } from './stage/bare-statements.mjs'
import {
  chatLists,
  deepPages,
  latestPages,
  posts,
  searches,
  singleChats,
  userLists,
} from './stage/requests.mjs'
import { rested, settle } from './workspace.mjs'

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function fetchText(space, { path, token, method, body }) {
  const answer = await fetch(space.server.url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return answer.text()
}

/** Contenders at full speed: the server's paths, bare HTTP with the same bytes, the bare driver with the same work. */
export async function fullSpeed(space, times) {
  const { stage, server, bareTarget, load, named, database_url } = space
  const toRooms = posts(stage)
  const toHall = posts(stage, () => [stage.hall])
  const pages = latestPages(stage)
  const deep = await deepPages(stage, server.url)
  await makeBareTables(space.db, stage)
  await space.bare.ask({ post: await fetchText(space, toRooms[0]), get: await fetchText(space, pages[0]) })
  const http = (target, requests) => load.run({ kind: 'http', target, requests, ...times }, named)
  const sql = (text, rows) =>
    load.run({ kind: 'sql', url: database_url, text, rows, pool_size: 16, ...times }, named)
  const sent = async (requests) => {
    const slice = await http(server.target, requests)
    return { ...slice, settled_ms: await settle(space) }
  }
  const rowsOf = (requests) =>
    requests.map(({ token, body }) => [
      body.message.entity_id,
      stage.writers.find((writer) => writer.token === token).id,
      body.message.content,
    ])
  const postRows = rowsOf(toRooms)
  return [
    { name: 'bare_post', run: () => http(bareTarget, toRooms) },
    { name: 'post', run: () => sent(toRooms) },
    { name: 'post_statement', run: () => sql(POST_STATEMENT, postRows) },
    { name: 'post_one_chat', run: () => sent(toHall) },
    { name: 'bare_get', run: () => http(bareTarget, pages) },
    { name: 'latest', run: () => http(server.target, pages) },
    { name: 'deep', run: () => http(server.target, deep) },
    {
      name: 'deep_statement',
      run: () =>
        sql(
          PAGE_STATEMENT,
          deep.map(({ row }) => row),
        ),
    },
  ]
}

/** Reads at two hundred a second each; what searches leave behind must not count against what is measured next. */
export function steadyReads(space, times) {
  const { stage, server, load, named } = space
  const at = (name, requests) => {
    const plan = { kind: 'http', target: server.target, requests, ...times }
    return {
      name,
      run: () => load.run({ ...plan, rate: 200, connections: 64 }, named),
      warm: () => load.run({ ...plan, connections: 8 }, named),
    }
  }
  const search = at('search', searches(stage))
  return [
    at('chats', chatLists(stage)),
    at('chat', singleChats(stage)),
    at('users', userLists(stage)),
    { ...search, run: () => rested(search.run), warm: () => rested(search.warm) },
  ]
}

/** A hundred events a second to rooms with a bot: how long after each message its webhook begins to arrive. */
export function hookLatency(space, times) {
  const { stage, server, load, named, receiver } = space
  const requests = posts(stage, ({ rooms }) => rooms.filter((room) => stage.withBot.has(room)))
  return {
    name: 'hook_latency',
    async run() {
      await receiver.ask({ reset: true, keep: true })
      const slice = await load.run(
        { kind: 'http', target: server.target, requests, rate: 100, connections: 32, ...times },
        named,
      )
      await settle(space)
      const { lags } = await receiver.ask({ lags: true })
      const sorted = lags.sort((a, b) => a - b)
      const part = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
      return { ...slice, count: sorted.length, p50_ms: part(0.5), p90_ms: part(0.9), p99_ms: part(0.99) }
    },
  }
}

const HOOK_CONNECTIONS = 48

/** One room with a hundred bots: so many messages at once, and how fast their webhooks go out. */
export function hookSpeed(space, messages) {
  const { stage, named, receiver } = space
  const [writer] = stage.writers
  const wanted = messages * stage.bots.length
  const post = () =>
    fetchText(space, {
      method: 'POST',
      path: '/v1/messages',
      token: writer.token,
      body: { message: { entity_id: stage.echo, content: 'x'.repeat(120) } },
    })
  return {
    name: 'hooks',
    run: () =>
      measure(
        async () => {
          await receiver.ask({ reset: true })
          for (let n = 0; n < messages; n += 10) await Promise.all(Array.from({ length: 10 }, post))
          const until = performance.now() + 60_000
          let seen = await receiver.ask({})
          while (seen.count < wanted && performance.now() < until) {
            await sleep(50)
            seen = await receiver.ask({})
          }
          const seconds = (seen.last_at - seen.first_at) / 1000
          await settle(space)
          return {
            count: seen.count,
            failed: wanted - Math.min(wanted, seen.count),
            seconds,
            per_second: seen.count / seconds,
            sample: seen.sample,
          }
        },
        { ...named, receiver: { pid: receiver.pid, alone: true } },
      ),
  }
}

/** The same posts by the HTTP client alone. */
export function bareHooks(space, times, sampleOf) {
  return {
    name: 'bare_hooks',
    run: () =>
      space.load.run(
        {
          kind: 'posts',
          target: space.hook,
          body: sampleOf(),
          headers: {
            'Content-Type': 'application/json',
            'Service-Signature': 'x'.repeat(64),
            'User-Agent': 'Parley',
          },
          connections: HOOK_CONNECTIONS,
          ...times,
        },
        { receiver: { pid: space.receiver.pid, alone: true } },
      ),
  }
}

/** What is counted in each table that grows with messages. */
const KEPT = { messages: 'count(*)', audit_blocks: 'sum(position - first_position + 1)', events: 'count(*)' }

/** Megabytes for a million messages: rows and indexes of each table that grows with them, by its own rows. */
export async function readDisk(db) {
  const tables = {}
  for (const [table, messages] of Object.entries(KEPT)) {
    const { rows } = await db.query(
      `select pg_total_relation_size($1::regclass)::float8 / (select ${messages} from ${table})::float8 as bytes`,
      [table],
    )
    tables[table] = (rows[0].bytes * 1_000_000) / 2 ** 20
  }
  return { tables_mb: tables, total_mb: Object.values(tables).reduce((total, mb) => total + mb, 0) }
}
