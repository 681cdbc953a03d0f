// Measures the lists of chats, members, tags, users and what is looked up while typing in a small workspace and in one a hundred times as large.
//   npm run build && node bench/lists.mjs [requests]
// Each figure is the median of sequential requests over HTTP; a ratio near 1 means that a list does not feel the size.
import './help.mjs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbeddedPostgres } from '../postgres/dist/index.js'
import { issueToken, scopesOf } from '../server/dist/oauth/tokens.js'
import { readConfig } from '../server/dist/platform/config.js'
import { startServer } from '../server/dist/serve.js'

const REQUESTS = Number(process.argv[2] ?? 100)
const WARM_UP = 20
const SIZES = [
  { name: 'small', chats: 2_000, users: 1_000 },
  { name: 'large', chats: 200_000, users: 100_000 },
]
const MEMBERS = 10
const FEW = 10

/** Ids from here on, so that they do not meet those of the first start. */
const FIRST = 1000
const everyone = FIRST
const middle = FIRST + 1
const few = FIRST + 2
const bigChat = FIRST - 1
const bigTag = FIRST

function loading({ chats, users }) {
  const tags = Math.max(users / 100, 60)
  return [
    `insert into users (id, role, email, nickname, first_name, created_at)
     select ${FIRST} + n, 'user', 'u' || n || '@example.org', 'u' || n, 'User ' || n, now()
     from generate_series(0, ${users} - 1) n`,
    // Every tenth chat is open, every twentieth archived; last messages are spread at random.
    `insert into chats (id, kind, name, public, owner_id, meet_slug, archived_at, created_at, last_message_at)
     select ${FIRST} + n, case when n % 5 = 0 then 'channel' else 'conversation' end, 'Chat ' || n, n % 10 = 0,
       ${FIRST}, 'chat-00000000', case when n % 20 = 7 then now() end, now(),
       date_trunc('milliseconds', now() - random() * interval '300 days')
     from generate_series(0, ${chats} - 1) n`,
    `insert into chats (id, kind, name, owner_id, personal_key, meet_slug, created_at, last_message_at)
     select ${FIRST} + ${chats} + n, 'personal', '', ${everyone}, ${everyone} || ':' || (${FIRST} + 10 + n),
       'personal-00000000', now(), date_trunc('milliseconds', now() - random() * interval '300 days')
     from generate_series(0, 99) n`,
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select ${FIRST} + c, ${FIRST} + 3 + (c * 7919 + k * 104729) % (${users} - 3),
       case when k = 0 then 'owner' when k = 1 then 'admin' else 'member' end, now()
     from generate_series(0, ${chats} - 1) c, generate_series(0, ${MEMBERS} - 1) k on conflict do nothing`,
    // One person is in every chat, one in every fiftieth, one in ten.
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select ${FIRST} + c, ${everyone}, 'member', now() from generate_series(0, ${chats} - 1) c`,
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select ${FIRST} + c, ${middle}, 'member', now() from generate_series(0, ${chats} - 1, 50) c`,
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select ${FIRST} + c, ${few}, 'member', now() from generate_series(3, ${chats} - 1, ${chats / FEW}) c`,
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select ${FIRST} + ${chats} + n, side, 'admin', now()
     from generate_series(0, 99) n, unnest(array[${everyone}, ${FIRST} + 10 + n]) side`,
    // The biggest chat is in no list that is measured, since its object names all its people.
    `insert into chats (id, kind, name, owner_id, meet_slug, created_at, last_message_at)
     values (${bigChat}, 'conversation', 'Biggest', ${FIRST}, 'chat-00000000', now(), now() - interval '1 year')`,
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select ${bigChat}, ${FIRST} + n, case when n % ${users / 20} = 3 then 'admin' else 'member' end, now()
     from generate_series(3, ${users} / 2) n`,
    `insert into group_tags (id, name, created_at)
     select ${FIRST} + n, 'Tag ' || n, now() from generate_series(0, ${tags} - 1) n`,
    `insert into user_tags (tag_id, user_id)
     select ${FIRST} + n % ${tags}, ${FIRST} + n from generate_series(0, ${users} - 1) n`,
    `insert into user_tags (tag_id, user_id)
     select ${bigTag}, ${FIRST} + n from generate_series(0, ${users} / 5 - 1) n on conflict do nothing`,
    `update chat_members m set place = case when c.kind = 'personal' then 'personal' else 'archive' end
     from chats c where c.id = m.chat_id and (c.kind = 'personal' or c.archived_at is not null)`,
    `insert into user_search select id, search_user_vector(u) from users u where id >= ${FIRST}`,
    `insert into chat_search select id, search_name_vector(name) from chats where id >= ${FIRST} and public`,
    `insert into chat_rosters select chat_id, count(*) from chat_members where chat_id >= ${bigChat} group by chat_id`,
    `update group_tags t set users_count = (select count(*) from user_tags u where u.tag_id = t.id)`,
    'vacuum analyze',
  ]
}

async function load(url, size) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Without the checks of each row the load takes seconds; what they would fill in is filled in at its end.
  try {
    await client.query("set session_replication_role = 'replica'")
    await client.query("alter table chat_members alter column place set default 'group'")
    for (const statement of loading(size)) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** What is asked: a name, whose token, and the path. */
function questions({ chats }) {
  const page = (path) => `${path}${path.includes('?') ? '&' : '?'}limit=50`
  const recent = new Date(Date.now() - 2 * 3_600_000 * (2_000 / chats) * 100).toISOString()
  return [
    ['chats by id, in 10', few, page('/chats')],
    ['chats by id, in all', everyone, page('/chats')],
    ['chats by id, in all, oldest first', everyone, page('/chats?order=asc')],
    ['chats by id, in all, archived too', everyone, page('/chats?archived=true')],
    ['chats by id, in all, personal', everyone, page('/chats?personal=true')],
    ['chats by id, in all, written to lately', everyone, page(`/chats?last_message_at_after=${recent}`)],
    ['chats by last message, in 10', few, page('/chats?sort=last_message_at')],
    ['chats by last message, in 2 %', middle, page('/chats?sort=last_message_at')],
    ['chats by last message, in all', everyone, page('/chats?sort=last_message_at')],
    ['  oldest first', everyone, page('/chats?sort=last_message_at&order=asc')],
    ['  archived too', everyone, page('/chats?sort=last_message_at&archived=true')],
    ['open chats by id', few, page('/chats?availability=public')],
    ['open chats by last message', few, page('/chats?availability=public&sort=last_message_at')],
    ['chats of the workspace', 'owner', page('/company/chats')],
    ['chats of the workspace, archived', 'owner', page('/company/chats?activity=archived')],
    ['members of a chat', everyone, page(`/chats/${FIRST}/members`)],
    ['members of the biggest chat', 'owner', page(`/chats/${bigChat}/members`)],
    ['  admins alone', 'owner', page(`/chats/${bigChat}/members?role=admin`)],
    ['tags', everyone, page('/group_tags')],
    ['tags by name', everyone, page('/group_tags?names[]=tag%203&names[]=TAG%2040')],
    ['people of the biggest tag', everyone, page(`/group_tags/${bigTag}/users`)],
    ['users', everyone, page('/users')],
    ['users by a rare text', everyone, page('/users?query=u777')],
    ['users by a common text', everyone, page('/users?query=user')],
    ['people to write to', few, page('/people')],
    ['  whose names begin with a letter', few, page('/people?query=u')],
    ['  with three', few, page('/people?query=777')],
    ['  members of the biggest chat first', 'owner', page(`/people?chat_id=${bigChat}`)],
    ['roster of the biggest chat', 'owner', page(`/chats/${bigChat}/roster`)],
    ['chats to open', few, page('/lookup/chats')],
    ['  whose names begin with a letter', few, page('/lookup/chats?query=c')],
    ['  with three', few, page('/lookup/chats?query=777')],
  ]
}

const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]

async function ask({ url, tokens }, who, path) {
  const response = await fetch(`${url}/v1${path}`, {
    headers: { Authorization: `Bearer ${tokens.get(who)}` },
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`)
  return body
}

/** Small and large take turns, request by request, so that whatever else the machine does slows both alike. */
async function compare(workspaces, who, paths) {
  const times = workspaces.map(() => [])
  for (let count = -WARM_UP; count < REQUESTS; count += 1) {
    for (const [index, workspace] of workspaces.entries()) {
      const start = performance.now()
      await ask(workspace, who, paths[index])
      if (count >= 0) times[index].push(performance.now() - start)
    }
  }
  return times.map(median)
}

/** A later page of the same list. */
async function pathAfter(workspace, who, path, pages) {
  let next = path
  for (let count = 0; count < pages; count += 1) {
    const { meta } = await ask(workspace, who, next)
    next = `${path}&cursor=${meta.paginate.next_page}`
  }
  return next
}

async function open(postgres, size) {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${size.name}`)
  await client.end()
  const url = postgres.url.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${size.name}`)
  const data = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const limits = { PARLEY_RATE_LIMITS: 'off', PORT: '0', PARLEY_DATA_DIR: data }
  const server = await startServer(readConfig({ DATABASE_URL: url, ...limits }), {
    log: pino({ level: 'fatal' }),
  })
  for (const worker of server.workers) await worker.stop(5000)
  await load(url, size)
  const tokens = new Map([['owner', server.firstStart.token]])
  for (const user_id of [few, middle, everyone]) {
    const token = { user_id, kind: 'personal', scopes: scopesOf('user') }
    const issued = await server.ctx.db.transaction().execute((tx) => issueToken(tx, server.ctx, token))
    tokens.set(user_id, issued.value)
  }
  const close = async () => {
    await server.stop()
    await rm(data, { recursive: true, force: true })
  }
  return { url: server.url, tokens, close }
}

function print(name, [small, large]) {
  const figures = [small.toFixed(2), large.toFixed(2), (large / small).toFixed(2)]
  console.log(name.padEnd(44), ...figures.map((figure) => figure.padStart(8)))
}

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const postgres = await startEmbeddedPostgres({ folder, durable: false, maxConnections: 100 })
const workspaces = []
try {
  for (const size of SIZES) workspaces.push(await open(postgres, size))
  console.log('median ms'.padEnd(44), ...['small', 'large', 'ratio'].map((word) => word.padStart(8)))
  for (const [index, [name, who]] of questions(SIZES[0]).entries()) {
    const paths = SIZES.map((size) => questions(size)[index][2])
    print(name, await compare(workspaces, who, paths))
  }
  for (const path of ['/chats?limit=50', '/chats?sort=last_message_at&limit=50']) {
    const paths = []
    for (const workspace of workspaces) paths.push(await pathAfter(workspace, everyone, path, 20))
    print(`${path}, 21st page`, await compare(workspaces, everyone, paths))
  }
} finally {
  for (const workspace of workspaces) await workspace.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
