// Measures the first call of a client, and a page of a timeline, on a database of its own.
//   npm run build && node bench/start.mjs [chats] [unread messages a chat]
// Every chat has unread messages, some of which name the caller: the worst start there is.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueToken } from '../server/dist/oauth/tokens.js'
import { readConfig } from '../server/dist/platform/config.js'
import { transaction } from '../server/dist/platform/db/transaction.js'
import { startServer } from '../server/dist/serve.js'

const CHATS = Number(process.argv[2] ?? 500)
const UNREAD = Number(process.argv[3] ?? 200)
const PEOPLE = 200
const CALLS = 200

const folder = await mkdtemp(join(tmpdir(), 'parley-start-'))
// Started by root, the database has an account of its own, which has to pass through.
await chmod(folder, 0o711)
const config = readConfig({
  PORT: '0',
  PARLEY_DATA_DIR: folder,
  PARLEY_RATE_LIMITS: 'off',
  PARLEY_LOG_LEVEL: 'error',
})
const server = await startServer(config)
const { ctx } = server

async function fill() {
  const run = (text) => ctx.pool.query(text)
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
  const token = { user_id: me, kind: 'session', scopes: [] }
  const { value } = await transaction(ctx, (tx) => issueToken(tx, ctx, token))
  const chat = await run(`select min(id) as id from chats where name like 'Chat %'`)
  return { token: value, chat_id: chat.rows[0].id }
}

async function measure(name, token, path) {
  const times = []
  let bytes = 0
  const before = process.cpuUsage()
  for (let call = 0; call < CALLS; call += 1) {
    const start = performance.now()
    const answer = await fetch(`${server.url}/v1${path}`, { headers: { Authorization: `Bearer ${token}` } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    bytes = text.length
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1)
  const cpu = ((user + system) / 1000 / CALLS).toFixed(1)
  process.stdout.write(
    `${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, min ${at(0)} ms, CPU of Node ${cpu} ms, ${(bytes / 1024).toFixed(0)} kB\n`,
  )
}

try {
  const { token, chat_id } = await fill()
  await measure(`start, ${CHATS} chats of ${UNREAD} unread`, token, '/start')
  if (process.argv[4] === 'timeline')
    await measure('timeline, 50 messages', token, `/chats/${chat_id}/timeline`)
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
