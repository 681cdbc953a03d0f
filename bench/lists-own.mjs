// Lists of own chats and threads cost somebody in very many of them the same as somebody in few.
//   node bench/lists-own.mjs [chats] [threads]
import './help.mjs'
import { newTokenValue } from '../server/dist/oauth/tokens.js'
import { hashToken } from '../server/dist/platform/http/holders.js'
import { cpuBetween, readCpu } from './machine/accounting.mjs'
import { table } from './report/print.mjs'
import { withStage } from './stage.mjs'

/** How many chats and threads somebody is in. The workspace has ten times as many as the person in most. */
const [chats = 2_000, threads = 40_000] = process.argv.slice(2).map(Number)
const CALLERS = [
  { name: 'few', chats: 40, threads: 400 },
  { name: 'many', chats, threads },
]
const ROUNDS = 30
const WARM_ROUNDS = 10

const LISTS = {
  'first call': '/start',
  'chats by last message': '/chats?sort=last_message_at&limit=50',
  threads: '/threads?limit=50',
  'threads followed': '/threads/inbox?limit=20',
  mentions: '/mentions?limit=50',
  tasks: '/tasks?limit=50',
  'unread counts': '/unread?limit=50',
}

/** Chats with threads under their messages, a task in each chat, and every tenth message for all. */
async function fill(query) {
  await query(
    `insert into users (role, first_name, nickname, created_at)
     select 'user', 'Person', 'p' || n, now() from generate_series(0, ${CALLERS.length}) n`,
  )
  const [{ author }] = await query(`select id as author from users where nickname = 'p0'`)
  await query(
    `insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     select 'conversation', 'Chat ' || n, $1, 'c' || n, now(), now() - n * interval '1 minute' from generate_series(1, $2::int) n`,
    [author, 10 * chats],
  )
  await query(
    `with rooms as (select id, row_number() over (order by id) as n from chats where name like 'Chat %')
     insert into messages (chat_id, root_chat_id, user_id, content, number, created_at, changed_at)
     select rooms.id, rooms.id, $1, 'Message ' || said, 1 + (said - 1) / $3::int, now(), now()
     from generate_series(1, $2::int) said join rooms on rooms.n = 1 + (said - 1) % $3::int`,
    [author, 10 * threads, 10 * chats],
  )
  await query(
    `insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
     select 'thread', 'Thread ' || id, $1, '', now(), now() - (random() * 1e6) * interval '1 s'
     from messages where content like 'Message %'`,
    [author],
  )
  await query(
    `insert into threads (chat_id, message_id, message_chat_id, creator_id, created_at, updated_at)
     select c.id, m.id, m.chat_id, $1, now(), c.last_message_at
     from chats c join messages m on m.id = substr(c.name, 8)::bigint where c.kind = 'thread' and c.name like 'Thread %'`,
    [author],
  )
  await query(`insert into mentions (message_id, chat_id) select id, chat_id from messages where id % 10 = 0`)
  await query(
    `insert into tasks (kind, content, priority, user_id, chat_id, created_at)
     select 'call', 'Task', 1, $1, id, now() from chats where kind = 'conversation' and name like 'Chat %'`,
    [author],
  )
}

/** The memberships of a caller, spread evenly over the workspace, and a session. */
async function join(query, { name, chats: own, threads: followed }) {
  const [{ id }] = await query(`select id from users where nickname = $1`, [`p${name === 'few' ? 1 : 2}`])
  for (const [kind, most, count] of [
    ['conversation', 10 * chats, own],
    ['thread', 10 * threads, followed],
  ])
    await query(
      `insert into chat_members (chat_id, user_id, role, joined_at)
       select id, $1, 'member', now() from (
         select id, row_number() over (order by id) as n from chats where kind = $2 and name <> '') c
       where n % $3::int = 0`,
      [id, kind, Math.round(most / count)],
    )
  const token = newTokenValue()
  await query(
    `insert into tokens (user_id, kind, hash, mask, scopes, created_at, expires_at)
     values ($1, 'session', $2, 'bench', '{}', now(), now() + interval '1 day')`,
    [id, hashToken(token)],
  )
  return token
}

async function measure(server, url, token) {
  const ask = async () => {
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  }
  for (let round = 0; round < WARM_ROUNDS; round += 1) await ask()
  const named = { server: { pid: server.pid, alone: true }, database: { pid: server.database } }
  const before = readCpu(named)
  for (let round = 0; round < ROUNDS; round += 1) await ask()
  const { parts } = cpuBetween(before, readCpu(named))
  return parts
}

await withStage(async (stage) => {
  const { child, hello } = await stage.server({ PARLEY_RUN: 'web' })
  await fill(stage.query)
  const tokens = []
  for (const caller of CALLERS) tokens.push(await join(stage.query, caller))
  await stage.query('vacuum analyze')
  const server = { pid: child.pid, database: process.pid }
  const rows = []
  for (const [list, path] of Object.entries(LISTS)) {
    const row = [list]
    for (const token of tokens) {
      const parts = await measure(server, `${hello.url}/v1${path}`, token)
      row.push(
        `${(parts.server / ROUNDS / 1000).toFixed(1)} + ${(parts.database / ROUNDS / 1000).toFixed(1)} ms`,
      )
    }
    rows.push(row)
  }
  console.log(table(['list', ...CALLERS.map((one) => `in ${one.chats} chats, ${one.threads} threads`)], rows))
})
