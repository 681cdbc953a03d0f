// Abuse: every attack we know of, repeated side by side under the load of honest people, against one server as it is run.
import { createServer } from 'node:http'
import pg from 'pg'
import { databaseOf, freePort, makeFolder, startServer } from '../machine/processes.mjs'
import { makeBots } from '../stage/people.mjs'
import { gather } from '../torture/cast.mjs'
import { attacksOn } from './attacks.mjs'
import { interlacedPicture } from './picture.mjs'
import { watch } from './probe.mjs'
import { createSender } from './send.mjs'

const HONEST = 4
const SLOW_BOTS = 20
/** Just below what the server takes. */
const PICTURE_SIDE = 6_300
const SLOW_TEMPLATE = `${'{{#items}}'.repeat(12)}x${'{{/items}}'.repeat(12)}`
const RULE = {
  conditions: { any: [{ type: 'regex', pattern: '\\b(?:\\d[ -]?){15}\\d\\b' }] },
  action: { type: 'BLOCK_AND_AUDIT_LOG' },
}

async function openPages() {
  const slow = `<html><head><title>t</title>${'<p><a>'.repeat(160_000)}`
  const server = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(slow))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

/** People, a room, bots with slow templates, and a rule against card numbers. */
async function furnish(db) {
  const cast = await gather(db, { urlOf: () => '' })
  const [writer] = cast.writers
  const slow = await makeBots(db, { count: SLOW_BOTS, url: '', creator: writer.id })
  const [honest] = await makeBots(db, { count: 1, url: '', creator: cast.manager.id })
  await db.query(`update bots set template = $2, template_engine = 'mustache' where user_id = any($1)`, [
    slow,
    SLOW_TEMPLATE,
  ])
  await db.query(
    `insert into dlp_rules (name, priority, enabled, body, created_at, updated_at) values ('cards', 1, true, $1, now(), now())`,
    [JSON.stringify(RULE)],
  )
  const { rows } = await db.query('select user_id, inbound_key from bots')
  const keys = new Map(rows.map((row) => [Number(row.user_id), `/webhooks/${row.inbound_key}`]))
  return { ...cast, inbound: keys.get(honest), slowInbound: slow.map((id) => keys.get(id)) }
}

async function botTokenOf(send, token) {
  const bot = { name: 'Abused', nickname: 'abused_bot', scopes: ['views:write', 'messages:create'] }
  const { body } = await send('POST', '/bots', { token, body: { bot, webhook: { name: 'Abused', ...bot } } })
  return body?.data?.access_token ?? body?.data?.token ?? token
}

/** Everything that is kept of deleted texts, after the run. */
async function keptTexts(db) {
  const { rows } = await db.query(
    `select count(*) as kept from (select payload::text from events union all select payload from deliveries) k (payload)
     where payload like '%DELETED-CONTENT%'`,
  )
  return Number(rows[0].kept)
}

export async function abuse({ seconds, say }) {
  const folder = await makeFolder()
  const pages = await openPages()
  const port = await freePort()
  const env = {
    PORT: String(port),
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PARLEY_LOG_LEVEL: 'silent',
    PARLEY_OUTBOUND_ALLOW: '127.0.0.1/32',
  }
  const server = await startServer({ folder: folder.path, env, quiet: true })
  const db = new pg.Client({ connectionString: await databaseOf(folder.path) })
  try {
    await db.connect()
    db.on('error', () => {})
    const cast = await furnish(db)
    const { send, figures } = createSender(server.url)
    const [writer, ...others] = cast.writers
    const attacks = attacksOn({
      send: (...call) => send(...call),
      member: writer.token,
      outsider: cast.guests[0].token,
      room: cast.rooms[0],
      botToken: await botTokenOf(send, writer.token),
      inbound: cast.inbound,
      slowInbound: cast.slowInbound,
      page: pages.url,
      picture: new Blob([interlacedPicture(PICTURE_SIDE)], { type: 'image/png' }),
      target: server.target,
    })
    const repeat = async (until, name, round) => {
      figures.begin(name)
      while (performance.now() < until) {
        await round()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    const honest = others.slice(0, HONEST).map(({ token }, n) => async () => {
      const message = { entity_id: cast.rooms[(n % 3) + 1], content: `Good morning ${Math.random()}` }
      await send('POST', '/messages', { token, body: { message }, as: 'honest messages', expect: [201] })
    })
    const alone = {}
    for (const [name, round] of Object.entries(attacks)) {
      const watching = watch({ url: server.url, pid: server.pid })
      await figures.during(name, round)
      const { livez, memory_mb } = await watching.stop()
      alone[name] = { worst_ms: livez.worst_ms, worst_cpu_ms: livez.worst_cpu_ms, peak_mb: memory_mb.peak }
      say(`${name}: ${JSON.stringify(alone[name])}`)
    }
    say(`${Object.keys(attacks).length} attacks side by side for ${seconds} s`)
    const watching = watch({ url: server.url, pid: server.pid })
    const until = performance.now() + seconds * 1000
    const scoped = Object.entries(attacks).map(([name, round]) =>
      repeat(until, name, () => figures.during(name, round)),
    )
    await Promise.all([...scoped, ...honest.map((round) => repeat(until, 'honest messages', round))])
    const watched = await watching.stop()
    const faults = [...figures.faults()]
    const kept = await keptTexts(db)
    if (kept > 0) faults.push(`${kept} deleted texts are still kept`)
    if (watched.livez.failed > 0) faults.push(`/livez failed ${watched.livez.failed} times`)
    return { seconds, requests: figures.total(), ...watched, alone, attacks: figures.byName(), faults }
  } finally {
    await db.end().catch(() => {})
    await server.stop()
    pages.close()
    await folder.remove()
  }
}
