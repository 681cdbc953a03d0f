// Measures the first call of a client, and a page of a timeline, on a database of its own.
//   npm run build && node bench/start.mjs [chats] [unread messages a chat]
// Every chat has unread messages, some of which name the caller: the worst start there is.
import './help.mjs'
import pg from 'pg'
import { newTokenValue } from '../server/dist/oauth/tokens.js'
import { hashToken } from '../server/dist/platform/http/holders.js'
import { cpuBetween, readCpu } from './machine/accounting.mjs'
import { databaseOf, makeFolder, startServer } from './machine/processes.mjs'
import { percentile } from './stage.mjs'

const CHATS = Number(process.argv[2] ?? 500)
const UNREAD = Number(process.argv[3] ?? 200)
const PEOPLE = 200
const CALLS = 300
const WARM_CALLS = 50

async function fill(db) {
  const run = (text, values) => db.query(text, values)
  await run(`insert into users (role, first_name, nickname, created_at)
    select 'user', 'Person ' || n, 'p' || n, now() from generate_series(1, ${PEOPLE}) n`)
  const { rows } = await run(`select min(id) as me, max(id) as last from users where nickname like 'p%'`)
  const { me, last } = rows[0]
  await run(`insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at, messages_count)
    select 'conversation', 'Chat ' || n, ${me}, 'c' || n, now(), now() - n * interval '1 s', ${UNREAD} from generate_series(1, ${CHATS}) n`)
  await run(`insert into chat_members (chat_id, user_id, role, joined_at)
    select c.id, u.id, 'member', now() from chats c join users u on u.id = ${me} or u.id % 10 = c.id % 10`)
  await run(`insert into messages (chat_id, root_chat_id, user_id, content, number, created_at, changed_at)
    select c.id, c.id, ${last}, 'Message ' || n || repeat(' word', 20), n, now(), now()
    from generate_series(1, ${UNREAD}) n cross join chats c where c.name like 'Chat %'`)
  await run(`update chats c set last_message_id = (select max(id) from messages m where m.chat_id = c.id)`)
  await run(`insert into mentions (message_id, chat_id, user_id)
    select id, chat_id, ${me} from messages where number % 20 = 0`)
  await run(`insert into reactions (message_id, user_id, emoji, code, name, created_at)
    select m.id, u.id, e, e, '', now() from messages m cross join unnest(array['👍', '🎉']) e
      join users u on u.id between ${me} and ${me} + 4 where m.number % 4 = 0`)
  await run('vacuum analyze')
  const token = newTokenValue()
  await run(
    `insert into tokens (user_id, kind, hash, mask, scopes, created_at, expires_at)
     values ($1, 'session', $2, 'bench', '{}', now(), now() + interval '1 day')`,
    [me, hashToken(token)],
  )
  const chat = await run(`select min(id) as id from chats where name like 'Chat %'`)
  return { token, chat_id: chat.rows[0].id }
}

async function get(server, token, path) {
  const answer = await fetch(`${server.url}/v1${path}`, { headers: { Authorization: `Bearer ${token}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text.length
}

async function measure(name, server, token, path) {
  for (let call = 0; call < WARM_CALLS; call += 1) await get(server, token, path)
  const named = { server: { pid: server.pid, alone: true }, database: { pid: server.pid } }
  const times = []
  let bytes = 0
  const before = readCpu(named)
  for (let call = 0; call < CALLS; call += 1) {
    const start = performance.now()
    bytes = await get(server, token, path)
    times.push(performance.now() - start)
  }
  const { parts, foreign } = cpuBetween(before, readCpu(named))
  const at = (share) => percentile(times, share).toFixed(1)
  const cpu = (us) => (us / 1000 / CALLS).toFixed(1)
  process.stdout.write(
    `${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, min ${at(0)} ms; CPU of the server ${cpu(parts.server)} ms, of the database ${cpu(parts.database)} ms; ${(bytes / 1024).toFixed(0)} kB; others used ${Math.round(foreign * 100)} % of a core\n`,
  )
}

const folder = await makeFolder()
const server = await startServer({ folder: folder.path, quiet: true })
const db = new pg.Client({ connectionString: await databaseOf(folder.path) })
try {
  await db.connect()
  const { token, chat_id } = await fill(db)
  await measure(`start, ${CHATS} chats of ${UNREAD} unread`, server, token, '/start')
  if (process.argv[4] === 'timeline')
    await measure('timeline, 50 messages', server, token, `/chats/${chat_id}/timeline`)
} finally {
  await db.end()
  await server.stop()
  await folder.remove()
}
