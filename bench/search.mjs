// Fills a database with messages, indexes them and measures searches through a real server.
// node bench/search.mjs [messages=2000000]
import './help.mjs'
import { once } from 'node:events'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { withStage } from './stage.mjs'
import { makeTexts } from './texts.mjs'

const COUNT = Number(process.argv[2] ?? 2_000_000)
const TOKEN = 'a-token-for-the-measurement-of-searches'
const [CHATS, MINE, AUTHORS, RUNS] = [1000, 400, 500, 25]
const START_S = Date.UTC(2024, 0, 1) / 1000
const STEP_S = 30

async function timed(label, work) {
  const started = performance.now()
  const result = await work()
  console.log(`${label}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return result
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function fill(client, owner) {
  await client.query(`insert into users (role, first_name, last_name, nickname, email, created_at)
    select 'user', 'Имя' || i, 'Фамилия' || i, 'person' || i, 'person' || i || '@example.org', now()
    from generate_series(1, ${AUTHORS}) i`)
  await client.query(
    `with made as (
       insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
       select 'conversation', 'Чат ' || i, $1, 'chat-' || i, now(), now() from generate_series(1, ${CHATS}) i returning id)
     insert into chat_members (chat_id, user_id, role, joined_at)
     select id, $1, 'owner', now() from made order by id limit ${MINE}`,
    [owner],
  )
  const { rows } = await client.query(
    `select (select min(id) from chats) as chat, (select min(id) from users where nickname = 'person1') as author`,
  )
  const [first_chat, first_author] = [Number(rows[0].chat), Number(rows[0].author)]
  const { chance, text, rare } = makeTexts(7)
  // In bulk the words are learned and the index is built at the end.
  await client.query('set session_replication_role = replica')
  await client.query('drop index messages_search')
  const stream = client.query(
    copyFrom('copy messages (chat_id, root_chat_id, user_id, content, created_at, changed_at) from stdin'),
  )
  let lines = []
  for (let index = 0; index < COUNT; index += 1) {
    // Few chats have most of the messages.
    const chat = first_chat + Math.floor(CHATS * chance() ** 2)
    const author = first_author + Math.floor(AUTHORS * chance())
    const at = new Date((START_S + index * STEP_S) * 1000).toISOString()
    lines.push(`${chat}\t${chat}\t${author}\t${text()}\t${at}\t${at}\n`)
    if (lines.length === 5000) {
      if (!stream.write(lines.join(''))) await once(stream, 'drain')
      lines = []
    }
  }
  stream.end(lines.join(''))
  await once(stream, 'finish')
  return { first_chat, first_author, rare }
}

async function index(client, definition) {
  await client.query(
    `insert into search_words select distinct said from messages, unnest(search_words_in(content, file_names)) said`,
  )
  await client.query("set maintenance_work_mem = '1GB'")
  await client.query(definition)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze messages, search_words, chat_members')
}

/** How fast the server takes messages in, words and all; beside it, without what search adds. */
async function measureWriting(client, count) {
  const write = async () => {
    const started = performance.now()
    await client.query(
      `insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
       select chat_id, root_chat_id, user_id, content, created_at, changed_at from messages order by id limit $1`,
      [count],
    )
    await client.query(`select gin_clean_pending_list('messages_search')`)
    return (1000 * (performance.now() - started)) / count
  }
  const whole = await write()
  await client.query('begin')
  await client.query('drop index messages_search')
  await client.query(`alter table messages disable trigger user`)
  const started = performance.now()
  await client.query(
    `insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
     select chat_id, root_chat_id, user_id, content, created_at, changed_at from messages order by id limit $1`,
    [count],
  )
  const bare = (1000 * (performance.now() - started)) / count
  await client.query('rollback')
  console.log(`a message is written in ${whole.toFixed(0)} µs, without search in ${bare.toFixed(0)} µs`)
}

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

await withStage(async (stage) => {
  const { hello } = await stage.server({ PARLEY_OWNER_TOKEN: TOKEN })
  const client = await connect(stage.postgres.url)
  console.log(`${COUNT} messages, ${CHATS} chats, the caller in ${MINE} of them`)
  const { rows: defined } = await client.query(
    `select pg_get_indexdef('messages_search'::regclass) as definition`,
  )
  const [{ definition }] = defined
  const { first_chat, first_author, rare } = await timed('fill', () => fill(client, hello.owner_id))
  await timed('index', () => index(client, definition))
  const { rows } = await client.query(`select pg_size_pretty(pg_total_relation_size('messages')) as messages,
    pg_size_pretty(pg_total_relation_size('search_words')) as words, pg_size_pretty(pg_relation_size('messages_search')) as index`)
  console.log('size:', rows[0])
  await measureWriting(client, 20_000)

  const queries = [
    ['a rare word', { query: rare[29_000] }],
    ['a common word', { query: 'договор' }],
    ['a form of a common word', { query: 'отчетами' }],
    ['two common words', { query: 'договор deploy' }],
    ['four words', { query: 'договор встреча server проект' }],
    ['a part of three letters', { query: 'огов' }],
    ['a phrase', { query: '"deploy review"' }],
    ['a common word in one chat', { query: 'проект', 'chat_ids[]': first_chat + 3 }],
    [
      'a common word of an author in a month',
      {
        query: 'задача',
        'user_ids[]': first_author + 5,
        created_from: '2025-01-01',
        created_to: '2025-01-31',
      },
    ],
    ['a common word by relevance', { query: 'договор', sort: 'relevance' }],
    ['a word that nobody wrote', { query: 'крокодил' }],
  ]
  console.log('query'.padEnd(40), 'total'.padStart(8), 'p50 ms'.padStart(8), 'p99 ms'.padStart(8))
  for (const [name, query] of queries) {
    const times = []
    let total = 0
    for (let run = 0; run < RUNS; run += 1) {
      const started = performance.now()
      const response = await fetch(
        `${hello.url}/v1/search/messages?${new URLSearchParams({ limit: 50, ...query })}`,
        {
          headers: { authorization: `Bearer ${TOKEN}` },
        },
      )
      const answer = await response.json()
      if (!response.ok) throw new Error(JSON.stringify(answer))
      times.push(performance.now() - started)
      total = answer.meta.total
    }
    const figures = [percentile(times, 0.5), percentile(times, 0.99)].map((ms) => ms.toFixed(1).padStart(8))
    console.log(name.padEnd(40), String(total).padStart(8), ...figures)
  }
  await client.end()
})
