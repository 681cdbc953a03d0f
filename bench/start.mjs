// Measures the first call of a client, the pages of chats that follow it, and a page of a timeline, on a database of its own.
//   npm run build && node bench/start.mjs [chats] [unread messages a chat]
// Every chat has unread messages, some of which name the caller: the worst start there is. It is measured for people who have not started
// in this process, for one whose chats have changed since in part, and for one whose chats are as they were.
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
/** People who are in all chats. */
const EVERYWHERE = 80
/** Every so manieth chat changes between two starts. */
const CHANGED = 10
const CALLS = 300
const WARM_CALLS = 50
/** Chats of a page, as the client asks for them. */
const PAGE = 500

async function fill(db) {
  const run = (text, values) => db.query(text, values)
  await run(`insert into users (role, first_name, nickname, created_at)
    select 'user', 'Person ' || n, 'p' || n, now() from generate_series(1, ${PEOPLE}) n`)
  const { rows } = await run(`select min(id) as me, max(id) as last from users where nickname like 'p%'`)
  const { me, last } = rows[0]
  await run(`insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at, messages_count)
    select 'conversation', 'Chat ' || n, ${me}, 'c' || n, now(), now() - n * interval '1 s', ${UNREAD} from generate_series(1, ${CHATS}) n`)
  await run(`insert into chat_members (chat_id, user_id, role, joined_at)
    select c.id, u.id, 'member', now() from chats c join users u on u.id between ${me} and ${me} + ${EVERYWHERE - 1} or u.id % 10 = c.id % 10`)
  await run(`insert into messages (chat_id, root_chat_id, user_id, content, number, created_at, changed_at)
    select c.id, c.id, ${last}, 'Message ' || n || repeat(' word', 20), n, now(), now()
    from generate_series(1, ${UNREAD}) n cross join chats c where c.name like 'Chat %'`)
  await run(`update chats c set last_message_id = (select max(id) from messages m where m.chat_id = c.id)`)
  await run(`insert into mentions (message_id, chat_id, user_id)
    select m.id, m.chat_id, ${me} + n from messages m, generate_series(0, ${EVERYWHERE - 1}) n where m.number % 20 = 0`)
  await run(`insert into reactions (message_id, user_id, emoji, code, name, created_at)
    select m.id, u.id, e, e, '', now() from messages m cross join unnest(array['👍', '🎉']) e
      join users u on u.id between ${me} and ${me} + 4 where m.number % 4 = 0`)
  await run('vacuum analyze')
  const tokens = Array.from({ length: EVERYWHERE }, newTokenValue)
  await run(
    `insert into tokens (user_id, kind, hash, mask, scopes, created_at, expires_at)
     select $1::bigint + n - 1, 'session', hash, 'bench', '{}', now(), now() + interval '1 day' from unnest($2::bytea[]) with ordinality as t (hash, n)`,
    [me, tokens.map(hashToken)],
  )
  const chat = await run(`select min(id) as id from chats where name like 'Chat %'`)
  return { tokens, chat_id: chat.rows[0].id }
}

async function get(server, token, path) {
  const answer = await fetch(`${server.url}/v1${path}`, { headers: { Authorization: `Bearer ${token}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

/** As the client reads the chats that the first call leaves out. */
async function getRest(server, token, start) {
  const answers = []
  for (let cursor = JSON.parse(start).data.next_chats; cursor !== null; ) {
    answers.push(await get(server, token, `/start/chats?limit=${PAGE}&cursor=${cursor}`))
    const { has_next, next_page } = JSON.parse(answers.at(-1)).meta.paginate
    cursor = has_next ? next_page : null
  }
  return answers.join('')
}

/** Asks once with each of these tokens, after what happens before each. */
async function measure(name, server, tokens, ask, before = async () => {}) {
  const named = { server: { pid: server.pid, alone: true }, database: { pid: server.pid } }
  const times = []
  const used = { server: 0, database: 0 }
  let bytes = 0
  for (const token of tokens) {
    const given = await before(token)
    const began = readCpu(named)
    const start = performance.now()
    bytes = (await ask(token, given)).length
    times.push(performance.now() - start)
    const { parts } = cpuBetween(began, readCpu(named))
    used.server += parts.server
    used.database += parts.database
  }
  const at = (share) => percentile(times, share).toFixed(1)
  const cpu = (us) => (us / 1000 / tokens.length).toFixed(1)
  process.stdout.write(
    `${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, min ${at(0)} ms; CPU of the server ${cpu(used.server)} ms, of the database ${cpu(used.database)} ms; ${(bytes / 1024).toFixed(0)} kB\n`,
  )
}

const folder = await makeFolder()
const server = await startServer({ folder: folder.path, quiet: true })
const db = new pg.Client({ connectionString: await databaseOf(folder.path) })
try {
  await db.connect()
  const { tokens, chat_id } = await fill(db)
  const [token, ...others] = tokens
  const again = (calls) => Array.from({ length: calls }, () => token)
  const change = () =>
    db.query(`update chats set version = version + 1 where id % $1 = floor(random() * $1)`, [CHANGED])
  const changeAndStart = async (each) => {
    await change()
    return get(server, each, '/start')
  }
  for (const each of [...others.splice(0, WARM_CALLS), ...again(WARM_CALLS)])
    await get(server, each, '/start')
  const what = `${CHATS} chats of ${UNREAD} unread`
  const start = (token) => get(server, token, '/start')
  const rest = (token, answer) => getRest(server, token, answer)
  const starters = others.splice(0, others.length / 2)
  await measure(`first start, ${what}`, server, starters, start)
  await measure(`start, ${what}, a tenth changed`, server, again(CALLS), start, change)
  await measure(`start, ${what}, none changed`, server, again(CALLS), start)
  await measure(`first rest, ${what}`, server, others, rest, start)
  await getRest(server, token, await start(token))
  await measure(`rest, ${what}, a tenth changed`, server, again(CALLS), rest, changeAndStart)
  await measure(`rest, ${what}, none changed`, server, again(CALLS), rest, start)
  if (process.argv[4] === 'timeline')
    await measure('timeline, 50 messages', server, again(CALLS), (each) =>
      get(server, each, `/chats/${chat_id}/timeline`),
    )
} finally {
  await db.end()
  await server.stop()
  await folder.remove()
}
