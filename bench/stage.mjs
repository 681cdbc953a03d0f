// What the measurements share: a database, processes, bots and chats.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../postgres/dist/index.js'

/** With `keep`, a folder, the database stays there for another run. */
export async function withStage(work, { keep } = {}) {
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'parley-bench-')))
  await mkdir(folder, { recursive: true })
  // Started by root, the database has an account of its own, which has to pass through.
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres') })
  const children = []
  const stage = {
    folder,
    postgres,
    async child(file, env = {}) {
      const child = fork(new URL(file, import.meta.url), {
        env: { ...process.env, ...env },
        stdio: 'inherit',
      })
      children.push(child)
      const died = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended at once`)))
      died.catch(() => {})
      const [hello] = await Promise.race([once(child, 'message'), died])
      return { child, hello, ask: (message) => ask(child, message) }
    },
    receiver: () => stage.child('./receiver.mjs'),
    server: (env = {}) =>
      stage.child('./server.mjs', {
        DATABASE_URL: postgres.url,
        PORT: '0',
        PARLEY_DATA_DIR: folder,
        PARLEY_LOG_LEVEL: 'fatal',
        PARLEY_RATE_LIMITS: 'off',
        ...env,
      }),
    async query(text, values) {
      const client = new pg.Client({ connectionString: postgres.url })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end()
      }
    },
  }
  try {
    return await work(stage)
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await postgres.stop()
    if (!keep) await rm(folder, { recursive: true, force: true })
  }
}

async function ask(child, message) {
  child.send(message)
  const [answer] = await once(child, 'message')
  return answer
}

/** Bots that hear all messages, each in chats of its own. */
export async function makeBots(stage, { count, chats_each, urlOf, prefix = 'bench' }) {
  const bots = []
  for (let index = 0; index < count; index += 1) {
    const [{ id }] = await stage.query(
      `insert into users (bot, role, first_name, nickname, created_at) values (true, 'user', $1, $1, now()) returning id`,
      [`${prefix}${index}_bot`],
    )
    await stage.query(
      `insert into bots (user_id, creator_id, outgoing_url, trigger_on, signing_secret) values ($1, 1, $2, 'all_messages', $3)`,
      [id, urlOf(Number(id), index), `whsec_${randomBytes(32).toString('base64')}`],
    )
    const rooms = await stage.query(
      `with made as (
         insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
         select 'conversation', 'bench', 1, 'bench', now(), now() from generate_series(1, $2::int) returning id),
       joined as (insert into chat_members (chat_id, user_id, role, joined_at) select id, $1, 'member', now() from made)
       select id from made`,
      [id, chats_each],
    )
    bots.push({ id: Number(id), chats: rooms.map((room) => Number(room.id)) })
  }
  return bots
}

/** Events of messages written past the server, in one commit: a backlog to work off. */
export async function pileUp(stage, chats, total) {
  await stage.query(
    `insert into events (type, chat_id, actor_id, payload, created_at)
     select 'message.created', chat, 1, jsonb_build_object(
       'message_id', n, 'chat_id', chat, 'root_chat_id', chat, 'thread_id', null, 'entity_type', 'discussion',
       'entity_id', chat, 'content', 'Message ' || n || ': ' || repeat('lorem ipsum ', 9), 'user_id', 1,
       'created_at', now(), 'changed_at', now(), 'parent_message_id', null, 'thread', null, 'personal', false,
       'link_preview', true), now()
     from (select n, ($1::bigint[])[1 + n % cardinality($1::bigint[])] as chat from generate_series(1, $2::int) n) as s
     order by n`,
    [chats, total],
  )
}

/** CPU time of a process and all below it, in microseconds. */
export function cpuOfTree(root) {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
        const [, parent] = fields
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
        return [{ pid: Number(pid), parent: Number(parent), us: ticks * 10_000 }]
      } catch {
        return []
      }
    })
  const below = (pid) =>
    stats.filter(({ parent }) => parent === pid).reduce((sum, one) => sum + below(one.pid), 0) +
    (stats.find((one) => one.pid === pid)?.us ?? 0)
  return below(root)
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export const ms = (value) => `${value.toFixed(1)} ms`
