// Fills a database with messages, indexes them and measures searches through a real server, for people in 40, 400 and
// 4 000 chats.
//   npm run build && node bench/search.mjs [messages=2000000] [folder]
// A folder keeps the database, and a second run with it measures without filling. Server and database are their processor
// time for one search, in milliseconds.
import './help.mjs'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { hashToken } from '../server/dist/platform/http/holders.js'
import { fill, TOKENS } from './search-fill.mjs'
import { cpuOfTree, percentile, withStage } from './stage.mjs'

const COUNT = Number(process.argv[2] ?? 2_000_000)
const KEEP = process.argv[3]
const RUNS = 25
/** After its start a server searches by itself first. */
const WARM_UP_MS = 2000
/** The load of common words: so many at once, for so long. */
const [AT_ONCE, LOAD_MS] = [8, 5000]

async function timed(label, work) {
  const started = performance.now()
  const result = await work()
  console.log(`${label}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return result
}

async function search(url, token, query) {
  const started = performance.now()
  const response = await fetch(`${url}/v1/search/messages?${new URLSearchParams({ limit: 50, ...query })}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return { ms: performance.now() - started, found: answer.data.length, ...answer.meta }
}

function queriesOf({ first_chat, first_author, rare }) {
  const month = { created_from: '2024-02-01', created_to: '2024-02-29' }
  return [
    ['a rare word', { query: rare }],
    ['a common word', { query: 'договор' }],
    ['a form of a common word', { query: 'отчетами' }],
    ['two common words', { query: 'договор deploy' }],
    ['four words', { query: 'договор встреча server проект' }],
    ['a part of three letters', { query: 'огов' }],
    ['a phrase', { query: '"deploy review"' }],
    ['a common word in one chat', { query: 'проект', 'chat_ids[]': first_chat }],
    ['a common word of an author in a month', { query: 'задача', 'user_ids[]': first_author + 5, ...month }],
    ['a common word by relevance', { query: 'договор', sort: 'relevance' }],
    ['a word that nobody wrote', { query: 'крокодил' }],
  ]
}

/** Processor time of server and database so far, in microseconds. */
async function readCpu(stage, server) {
  const { user, system } = await server.ask('cpu')
  return [user + system, cpuOfTree(stage.postgres.pid)]
}

async function measure(stage, server, token, [name, query]) {
  const times = []
  let last
  const before = await readCpu(stage, server)
  for (let run = 0; run < RUNS; run += 1) {
    last = await search(server.hello.url, token, query)
    times.push(last.ms)
  }
  const after = await readCpu(stage, server)
  const figures = [
    ...after.map((value, index) => (value - before[index]) / 1000 / RUNS),
    ...[0.5, 0.99].map((share) => percentile(times, share)),
  ]
  const total = `${last.total}${last.total_is_exact ? '' : '+'}`
  const cells = [total, last.found, ...figures.map((ms) => ms.toFixed(1))]
  console.log(name.padEnd(40), ...cells.map((cell) => String(cell).padStart(9)))
}

/** Common words from several people at once: how many a second go through, and what each costs. */
async function load(stage, server, token) {
  const words = ['договор', 'deploy', 'встреча', 'server', 'проект', 'отчетами', 'review', 'задача']
  const until = performance.now() + LOAD_MS
  const times = []
  const before = await readCpu(stage, server)
  const one = async (word) => {
    while (performance.now() < until) times.push((await search(server.hello.url, token, { query: word })).ms)
  }
  await Promise.all(words.slice(0, AT_ONCE).map(one))
  const after = await readCpu(stage, server)
  const [node, database] = after.map((value, index) => Math.round((value - before[index]) / times.length))
  const at = (share) => percentile(times, share).toFixed(1)
  console.log(
    `common words, ${AT_ONCE} at once: ${Math.round((times.length * 1000) / LOAD_MS)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${node} + ${database} µs`,
  )
}

await withStage(
  async (stage) => {
    const start = () => stage.server({ PARLEY_OWNER_TOKEN: 'a-token-of-the-owner-of-the-measurement' })
    const first = await start()
    const client = new pg.Client({ connectionString: stage.postgres.url })
    await client.connect()
    const place = await timed('fill', () => fill(client, COUNT, hashToken))
    const { rows } =
      await client.query(`select pg_size_pretty(pg_total_relation_size('messages')) as messages,
      pg_size_pretty(pg_total_relation_size('search_words')) as words, pg_size_pretty(pg_relation_size('messages_search')) as index`)
    console.log(`${COUNT} messages; size:`, rows[0])
    // The tables were empty when it started; a server of a real workspace finds messages to warm up with.
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')
    const server = await start()
    await wait(WARM_UP_MS)
    for (const [chats, token] of Object.entries(TOKENS)) {
      const heads = ['total', 'found', 'server', 'database', 'p50 ms', 'p99 ms']
      console.log(`in ${chats} chats`.padEnd(40), ...heads.map((head) => head.padStart(9)))
      for (const query of queriesOf(place)) await measure(stage, server, token, query)
      await load(stage, server, token)
    }
    await client.end()
  },
  { keep: KEEP },
)
