// Measures sending and listing messages on a durable database of its own, and a bare node:http server that does
// nothing.
//   npm run build && node bench/messages.mjs [seconds] [both|http] [chats]
// Needs `wrk`. CPU time a request is steadier than requests a second where other work runs on the machine.
import './help.mjs'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueToken, scopesOf } from '../server/dist/oauth/tokens.js'
import { readConfig } from '../server/dist/platform/config.js'
import { transaction } from '../server/dist/platform/db/transaction.js'
import { startServer } from '../server/dist/serve.js'

const SECONDS = Number(process.argv[2] ?? 4)
// `http` leaves the background work to another process; `both` is what a server does by default.
const RUN = process.argv[3] ?? 'all'
const CHATS = Number(process.argv[4] ?? 1000)
const CONNECTIONS = 32
const PEOPLE = 100
const TEXT = 'x'.repeat(120)

const folder = await mkdtemp(join(tmpdir(), 'parley-measure-'))
// Started by root, the database has an account of its own, which has to pass through.
await chmod(folder, 0o711)
const config = readConfig({
  PORT: '0',
  PARLEY_DATA_DIR: folder,
  PARLEY_RATE_LIMITS: 'off',
  PARLEY_LOG_LEVEL: 'error',
  PARLEY_RUN: RUN,
})
const server = await startServer(config)
const { ctx } = server

async function fill() {
  await ctx.pool.query(
    `insert into users (role, nickname, created_at) select 'user', 'p' || n, now() from generate_series(1, ${PEOPLE}) n`,
  )
  await ctx.pool.query(`insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
    select 'conversation', 'c' || n, 1, 'c' || n, now(), now() from generate_series(1, ${CHATS}) n`)
  await ctx.pool.query(`insert into chat_members (chat_id, user_id, role, joined_at)
    select c.id, u.id, 'member', now() from chats c cross join users u`)
  await ctx.pool.query(`insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
    select c.id, c.id, 2, '${TEXT}', now(), now() from chats c cross join generate_series(1, 60)`)
  await ctx.pool.query('vacuum analyze')
  const people = await ctx.db.selectFrom('users').select('id').where('nickname', 'like', 'p%').execute()
  const tokens = []
  for (const { id: user_id } of people) {
    const token = { user_id, kind: 'personal', scopes: scopesOf('user') }
    tokens.push((await transaction(ctx, (tx) => issueToken(tx, ctx, token))).value)
  }
  const { rows } = await ctx.pool.query('select min(id) as first from chats')
  return { tokens, first: rows[0].first }
}

function lua({ tokens, first }, method) {
  const list = tokens.map((token) => `"${token}"`).join(',')
  const request =
    method === 'POST'
      ? `wrk.format("POST", "/v1/messages", headers, '{"message":{"entity_id":' .. chat .. ',"content":"${TEXT}"}}')`
      : 'wrk.format("GET", "/v1/messages?chat_id=" .. chat, headers)'
  return `local tokens = {${list}}
function request()
  local chat = ${first} + math.random(0, ${CHATS - 1})
  local headers = {["Authorization"] = "Bearer " .. tokens[math.random(1, #tokens)], ["Content-Type"] = "application/json"}
  return ${request}
end
function done(summary) io.write("failed-status " .. summary.errors.status .. "\\n") end`
}

/** CPU seconds of this process, and of the database with all its children. */
async function spent() {
  const { user, system } = process.cpuUsage()
  const ticks = (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
  const parent = (pid) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1])
  const { rows } = await ctx.pool.query('select pg_backend_pid() as pid')
  const root = parent(rows[0].pid)
  let database = ticks(root)
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      if (parent(pid) === root) database += ticks(pid)
    } catch {}
  }
  return { node: (user + system) / 1e6, database }
}

async function run(url, script) {
  const path = join(folder, 'wrk.lua')
  await writeFile(path, script)
  const before = await spent()
  const child = spawn('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--latency', '-s', path, url])
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((resolve) => child.on('exit', resolve))
  const after = await spent()
  const requests = Number(/(\d+) requests in/.exec(text)?.[1])
  return {
    per_second: Math.round(Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1])),
    p50: /50%\s+(\S+)/.exec(text)?.[1],
    p99: /99%\s+(\S+)/.exec(text)?.[1],
    failed: Number(/failed-status (\d+)/.exec(text)?.[1]),
    node_us: Math.round(((after.node - before.node) / requests) * 1e6),
    database_us: Math.round(((after.database - before.database) / requests) * 1e6),
  }
}

const bare = createServer((request, response) => {
  request
    .on('data', () => {})
    .on('end', () => response.end(request.method === 'POST' ? 'x'.repeat(500) : page))
})
const seed = await fill()
const answer = await fetch(`${server.url}/v1/messages?chat_id=${seed.first}`, {
  headers: { Authorization: `Bearer ${seed.tokens[0]}` },
})
const page = await answer.text()
await new Promise((resolve) => bare.listen(0, '127.0.0.1', resolve))
const bareUrl = `http://127.0.0.1:${bare.address().port}`

for (let round = 1; round <= 3; round += 1) {
  for (const method of ['POST', 'GET']) {
    console.log(round, method, 'bare  ', JSON.stringify(await run(bareUrl, lua(seed, method))))
    console.log(round, method, 'parley', JSON.stringify(await run(server.url, lua(seed, method))))
  }
}
bare.close()
await server.stop()
await rm(folder, { recursive: true, force: true })
