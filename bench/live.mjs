// Measures open live streams on one process: memory of each, and how long a message takes to reach all who listen in its chat.
//   npm run build && node bench/live.mjs [streams=2000] [listeners of the chat=500] [messages=40]
import './help.mjs'
import { request } from 'node:http'
import pg from 'pg'
import { newTokenValue } from '../server/dist/oauth/tokens.js'
import { hashToken } from '../server/dist/platform/http/holders.js'
import { cpuBetween, readCpu, readMemory } from './machine/accounting.mjs'
import { databaseOf, makeFolder, startServer } from './machine/processes.mjs'
import { percentile } from './stage.mjs'

const [STREAMS, LISTENERS, MESSAGES] = [2000, 500, 40].map((usual, n) => Number(process.argv[n + 2] ?? usual))
/** Time for the server to give memory back that it no longer needs. */
const SETTLE_MS = 10_000
/** Messages before those that are measured, while plans are made and code is compiled. */
const WARM_MESSAGES = 10
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** People with a session each; the first ones are in the chat. */
async function makePeople(db) {
  const { rows: people } = await db.query(
    `insert into users (role, first_name, nickname, created_at)
     select 'user', 'Person ' || n, 'p' || n, now() from generate_series(1, $1::int) n returning id`,
    [STREAMS],
  )
  const ids = people.map(({ id }) => Number(id)).sort((a, b) => a - b)
  const tokens = ids.map(() => newTokenValue())
  await db.query(
    `insert into tokens (user_id, kind, hash, mask, scopes, created_at, expires_at)
     select *, 'bench', '{}', now(), now() + interval '1 day'
     from (select id, 'session', hash from unnest($1::bigint[], $2::bytea[]) as t (id, hash)) t`,
    [ids, tokens.map(hashToken)],
  )
  const { rows: chats } = await db.query(
    `insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     values ('conversation', 'Hall', $1, 'hall', now(), now()) returning id`,
    [ids[0]],
  )
  const chat_id = Number(chats[0].id)
  await db.query(
    `insert into chat_members (chat_id, user_id, role, joined_at) select $1, id, 'member', now() from unnest($2::bigint[]) id`,
    [chat_id, ids.slice(0, LISTENERS)],
  )
  return { tokens, chat_id }
}

function open(server, token, onText) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const stream = request({ ...server.target, path: '/v1/live', headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200)
        return reject(new Error(`a stream was refused with ${answer.statusCode}`))
      answer.setEncoding('utf8').on('data', onText)
      resolve(stream)
    })
    stream.on('error', reject).end()
  })
}

async function send(server, token, chat_id, content) {
  const answer = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: { entity_id: chat_id, content } }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

const folder = await makeFolder()
const server = await startServer({ folder: folder.path, quiet: true })
const db = new pg.Client({ connectionString: await databaseOf(folder.path) })
const streams = []
try {
  await db.connect()
  const { tokens, chat_id } = await makePeople(db)
  await send(server, tokens[0], chat_id, 'the first message')
  await sleep(SETTLE_MS)
  const before = readMemory(server.pid).server_mb
  const times = []
  let sent_at = 0
  const heard = (text) => {
    if (text.includes('event: message.created')) times.push(performance.now() - sent_at)
  }
  const named = { server: { pid: server.pid, alone: true }, database: { pid: server.pid } }
  const closed = readCpu(named)
  for (const token of tokens) streams.push(await open(server, token, heard))
  await sleep(SETTLE_MS)
  const opening = cpuBetween(closed, readCpu(named)).parts
  const each_kb = ((readMemory(server.pid).server_mb - before) * 1024) / STREAMS
  const sendAll = async (count) => {
    times.length = 0
    for (let n = 1; n <= count; n += 1) {
      sent_at = performance.now()
      await send(server, tokens[n % LISTENERS], chat_id, `message ${n}`)
      while (times.length < n * LISTENERS) await sleep(1)
      await sleep(100)
    }
  }
  await sendAll(WARM_MESSAGES)
  const cpu = readCpu(named)
  await sendAll(MESSAGES)
  const { parts, foreign } = cpuBetween(cpu, readCpu(named))
  const at = (share) => percentile(times, share).toFixed(1)
  process.stdout.write(
    `${STREAMS} streams: ${each_kb.toFixed(1)} kB each, ${Math.round(opening.server / STREAMS)} + ${Math.round(opening.database / STREAMS)} µs to open; a message to ${LISTENERS} of them: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `${Math.round(parts.server / MESSAGES)} + ${Math.round(parts.database / MESSAGES)} µs of server and database; others used ${Math.round(foreign * 100)} % of a core\n`,
  )
} finally {
  for (const stream of streams) stream.destroy()
  await db.end()
  await server.stop()
  await folder.remove()
}
