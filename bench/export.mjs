// Exports many messages: how fast, and how much memory the process that builds the archive takes at most.
// node bench/export.mjs [messages] [chats]
import './help.mjs'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '../postgres/dist/index.js'
import { readConfig } from '../server/dist/platform/config.js'
import { startServer } from '../server/dist/serve.js'

const messages = Number(process.argv[2] ?? 5_000_000)
const chats = Number(process.argv[3] ?? 1000)
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-export-'))
// Started by root, the database has an account of its own, which has to pass through.
await chmod(folder, 0o711)
const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres') })
const env = {
  DATABASE_URL: postgres.url,
  PARLEY_DATA_DIR: folder,
  PARLEY_LOG_LEVEL: 'error',
  PARLEY_RATE_LIMITS: 'off',
}
const server = await startServer(readConfig({ ...env, PORT: '0', PARLEY_RUN: 'web' }))
const { pool } = server.ctx
let builder

/** Forty-five days, without what search would do with every row: an export asks nothing of it. */
async function fill() {
  const client = await pool.connect()
  await client.query('set statement_timeout = 0; set session_replication_role = replica')
  await client.query('drop index messages_search')
  await client.query(`insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
    select 'conversation', 'chat ' || n, 1, 'slug-' || n, now(), now() from generate_series(1, ${chats}) n`)
  await client.query(`insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at)
    select chat, chat, 1, repeat(md5(n::text) || ' ', 1 + n % 8), at, at from generate_series(1, ${messages}) n
    cross join lateral (select 1 + n % ${chats} as chat,
      timestamptz '2026-01-01Z' + n * (interval '45 days' / ${messages + 1}) as at) x`)
  await client.query('set session_replication_role = default')
  await client.query('vacuum analyze messages')
  client.release(true)
}

function peakMegabytes(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
}

try {
  console.log(`filling in ${messages} messages of ${chats} chats …`)
  await fill()
  const program = fileURLToPath(new URL('../server/dist/testing/worker-process.js', import.meta.url))
  builder = fork(program, { env: { PATH: process.env.PATH, ...env, PARLEY_RUN: 'worker' } })
  await once(builder, 'message')
  const idle = peakMegabytes(builder.pid)
  const headers = { authorization: `Bearer ${server.firstStart.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ start_at: '2026-01-01', end_at: '2026-02-14' })
  const started = performance.now()
  const { status } = await fetch(`${server.url}/v1/chats/exports`, { method: 'POST', headers, body })
  if (status !== 204) throw new Error(`the order was answered with ${status}`)
  for (;;) {
    await wait(500)
    const { rows } = await pool.query('select state, phase, messages, size, error from exports')
    const [row] = rows
    if (row.state === 'failed') throw new Error(row.error)
    if (row.state !== 'ready') continue
    const seconds = (performance.now() - started) / 1000
    const peak = peakMegabytes(builder.pid)
    console.log(`exported ${row.messages} messages in ${seconds.toFixed(1)} s`)
    console.log(`that is ${Math.round(row.messages / seconds)} messages a second`)
    console.log(`archive ${(row.size / 1024 ** 2).toFixed(1)} MiB`)
    console.log(`peak memory of the builder ${peak.toFixed(0)} MiB, ${idle.toFixed(0)} MiB before it began`)
    break
  }
} finally {
  builder?.kill('SIGKILL')
  await server.stop()
  await postgres.stop()
  if (process.env.KEEP) console.log(`kept ${folder}`)
  else await rm(folder, { recursive: true, force: true })
}
