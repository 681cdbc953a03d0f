// A second server as it is run for real: limits on, a public address elsewhere, no inner address allowed.
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NODE_FLAGS } from '../../scripts/node-flags.mjs'
import { makeBots } from '../stage/people.mjs'
import { join } from './furnish.mjs'

const CLI = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url))
const run = promisify(execFile)
const UNREACHABLE = 'unreachable: the host has no address that may be called'

/** A page on loopback that nobody may ask for. */
async function openInside() {
  let asked = 0
  const server = createServer((_, answer) => {
    asked += 1
    answer.setHeader('Content-Type', 'text/html').end('<title>INSIDE</title>')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, asked: () => asked, close: () => server.close() }
}

async function until(holds) {
  for (let tries = 0; tries < 240 && !(await holds()); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 250))
}

/** Sends all at once, so that they fall into one window however slow the machine is. */
async function tally(count, make) {
  const statuses = {}
  for (const { status } of await Promise.all(Array.from({ length: count }, make)))
    statuses[status] = (statuses[status] ?? 0) + 1
  return statuses
}

/** Removes the newest records as somebody who can write everything in the database. */
async function cutAudit(db) {
  await db.query(`begin; set local session_replication_role = replica;
    delete from audit_blocks where position = (select max(position) from audit_blocks);
    delete from audit_events where position > (select max(position) from audit_blocks);
    update audit_chain set (head_position, head_hash) =
      (select position, hash from audit_blocks order by position desc limit 1); commit`)
}

async function auditIsWhole(folder) {
  const env = { PATH: process.env.PATH, PARLEY_DATA_DIR: folder }
  return run(process.execPath, [...NODE_FLAGS, CLI, 'audit', 'verify', '--json'], { env }).then(
    () => true,
    () => false,
  )
}

/** Each says what is wrong, or null; in this order, since the last ones damage what the others need. */
export async function strictChecks({ send, db, cast, owner, folder }) {
  const inside = await openInside()
  const [writer, other] = cast.writers
  const [room] = cast.rooms
  const say = (content, more = {}) =>
    send('POST', '/messages', {
      token: writer.token,
      body: { message: { entity_id: room, content }, ...more },
    })
  const hosts = [inside.url, 'http://localhost:1', 'http://nowhere.invalid', 'http://169.254.169.254']

  async function errorsOf(bot) {
    const answer = await send('GET', `/bots/${bot}/deliveries`, { token: cast.manager.token })
    return (answer.body?.data ?? []).flatMap(({ attempts }) => attempts.map(({ error }) => error))
  }

  const checks = {
    'previews of inner addresses': {
      must: 'no inner address is called, and nothing of it is told',
      async check() {
        const { body } = await say(`look ${inside.url}/html`, { link_preview: true })
        await until(async () => {
          const { rows } = await db.query(`select (select count(*) from waiting_events) +
            (select count(*) from jobs where kind like 'previews.%' and failed_at is null) as count`)
          return Number(rows[0].count) === 0
        })
        const told = await send('GET', `/link_previews?message_ids=${body?.data?.id}`, {
          token: writer.token,
          expect: [200],
        })
        if (JSON.stringify(told.body).includes('INSIDE')) return 'a preview tells the title of an inner page'
        return inside.asked() > 0 ? 'an inner page was asked for' : null
      },
    },
    'webhooks to inner addresses': {
      must: 'none is called, and the log does not tell which exist',
      async check() {
        const bots = await makeBots(db, { count: hosts.length, url: '', creator: cast.manager.id })
        for (const [n, bot] of bots.entries())
          await db.query('update bots set outgoing_url = $2 where user_id = $1', [bot, `${hosts[n]}/`])
        await join(db, room, bots)
        await until(async () => (await say('hello')).status === 201)
        const errors = []
        for (const bot of bots) {
          await until(async () => (await errorsOf(bot)).length > 0)
          errors.push(...(await errorsOf(bot)))
        }
        if (inside.asked() > 0) return 'an inner address was called'
        if (errors.length < hosts.length) return `only ${errors.length} deliveries were tried`
        const odd = errors.find((error) => error !== UNREACHABLE)
        return odd === undefined ? null : `the log tells: ${odd}`
      },
    },
    'exports to inner addresses': {
      must: 'they are refused at once',
      async check() {
        const body = { start_at: '2026-01-01', end_at: '2026-01-02', webhook_url: `${inside.url}/` }
        const { status } = await send('POST', '/chats/exports', { token: owner, body })
        return status === 422 ? null : `answered ${status}`
      },
    },
    'guessed tokens': {
      must: 'they are refused after fifty a second, and a token that has worked passes',
      async check() {
        await send('GET', '/profile', { token: other.token, expect: [200] })
        const guess = () => send('GET', '/profile', { token: `guess-${Math.random()}` })
        const statuses = await tally(400, guess)
        const known = await send('GET', '/profile', { token: other.token })
        if (known.status !== 200) return `a token that has worked was answered ${known.status}`
        return (statuses[429] ?? 0) > 0 ? null : `answered ${JSON.stringify(statuses)}`
      },
    },
    'guessed passwords': {
      must: 'they are refused after twenty a minute',
      async check() {
        const body = { email: 'writer0@example.org', password: 'wrong' }
        const statuses = await tally(25, () => send('POST', '/sessions', { body }))
        return statuses[429] >= 5 ? null : `answered ${JSON.stringify(statuses)}`
      },
    },
    'uploads without a form': {
      must: 'they are refused after twenty a second',
      async check() {
        const make = () => send('POST', '/storage/uploads', { root: true, form: { file: new Blob(['x']) } })
        const statuses = await tally(100, make)
        return statuses[429] > 0 ? null : `answered ${JSON.stringify(statuses)}`
      },
    },
    'a full disk': {
      must: 'writes are answered 503, /readyz too, and writing goes on afterwards',
      async check() {
        await db.query(`create function no_space() returns trigger language plpgsql as
          $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
        await db.query('create trigger no_space before insert on messages execute function no_space()')
        const full = await say('no space')
        const ready = await send('GET', '/readyz', { root: true })
        await db.query('drop trigger no_space on messages')
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        const after = await say('space again')
        const statuses = [full.status, ready.status, after.status].join()
        return statuses === '503,503,201' ? null : `answered ${statuses}`
      },
    },
    'an audit log without its newest records': {
      must: 'the check finds it',
      async check() {
        await until(async () => {
          await say('recorded')
          const { rows } = await db.query('select count(*) from audit_blocks')
          return Number(rows[0].count) > 2
        })
        await until(async () => {
          const { rows } = await db.query(`select (select count(*) from audit_events where position is null)
            + (select count(*) from audit_waiting) as count`)
          return Number(rows[0].count) === 0
        })
        if (!(await auditIsWhole(folder))) return 'the check fails before anything was removed'
        await cutAudit(db)
        return (await auditIsWhole(folder)) ? 'the check says that it is whole' : null
      },
    },
  }
  const results = {}
  try {
    for (const [name, { must, check }] of Object.entries(checks))
      results[name] = { must, fault: await check().catch((error) => String(error)) }
  } finally {
    inside.close()
  }
  return results
}
