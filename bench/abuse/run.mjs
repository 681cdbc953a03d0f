// Abuse: every attack we know of, repeated side by side under the load of honest people, against one server as it is run, while its
// files and processes are looked at; then a second server with limits on and no inner address allowed.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { databaseOf, freePort, makeFolder, startServer } from '../machine/processes.mjs'
import { gather } from '../torture/cast.mjs'
import { attacksOn } from './attacks.mjs'
import { furnish, sendFile } from './furnish.mjs'
import { interlacedPicture } from './picture.mjs'
import { watch } from './probe.mjs'
import { createSender } from './send.mjs'
import { statesOf } from './states.mjs'
import { strictChecks } from './strict.mjs'

const HONEST = 4
/** Just below what the server takes. */
const PICTURE_SIDE = 6_300
const HONEST_MS = 15_000
const LIVEZ_MS = 250
const PEAK_MB = 1_000

async function openPages() {
  const slow = `<html><head><title>t</title>${'<p><a>'.repeat(160_000)}`
  const server = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(slow))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

/** Runs against a server and database of its own. */
async function withServer(env, work) {
  const folder = await makeFolder()
  const server = await startServer({ folder: folder.path, env, quiet: true })
  const db = new pg.Client({ connectionString: await databaseOf(folder.path) })
  try {
    await db.connect()
    db.on('error', () => {})
    return await work({ folder: folder.path, server, db })
  } finally {
    await db.end().catch(() => {})
    await server.stop()
    await folder.remove()
  }
}

async function postmasterOf(folder) {
  const text = await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number(text.split('\n', 1)[0])
}

async function repeat(until, round) {
  while (performance.now() < until) {
    await round()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Each attack by itself: what it costs when nothing else goes on. */
async function runAlone({ server, attacks, figures, say }) {
  const alone = {}
  for (const [name, { round }] of Object.entries(attacks)) {
    const watching = watch({ url: server.url, pid: server.pid })
    await figures.during(name, round)
    const { livez, memory_mb } = await watching.stop()
    const { worst_ms, worst_own_ms, worst_cpu_ms } = livez
    alone[name] = { worst_ms, worst_own_ms, worst_cpu_ms, peak_mb: memory_mb.peak }
    say(`${name}: ${JSON.stringify(alone[name])}`)
  }
  return alone
}

async function checkStates(states, faults) {
  for (const [name, { check }] of Object.entries(states)) {
    const fault = await check().catch((error) => String(error))
    if (fault) faults.push(`${name}: ${fault}`)
  }
}

/** How many others want each core already: times are as much longer. */
const crowding = () => Math.max(1, loadavg()[0] / availableParallelism())

function livezFaults({ livez, memory_mb }, crowded) {
  const faults = []
  if (livez.failed > 0) faults.push(`/livez failed ${livez.failed} times`)
  if (livez.worst_own_ms > LIVEZ_MS * crowded)
    faults.push(`the server held up /livez for ${livez.worst_own_ms} ms`)
  if (memory_mb.peak > PEAK_MB) faults.push(`the server took ${memory_mb.peak} MB`)
  return faults
}

async function attackServer({ server, db, folder, pages, seconds, crowded, say }) {
  const cast = await furnish(db)
  const { send, figures } = createSender(server.url)
  const [writer, ...others] = cast.writers
  const attacks = attacksOn({
    ...cast,
    send,
    db,
    url: server.url,
    fault: figures.fault,
    member: writer.token,
    outsider: cast.guests[0].token,
    room: cast.rooms[0],
    download: await sendFile(send, others[0].token, cast.rooms[1]),
    page: pages.url,
    picture: new Blob([interlacedPicture(PICTURE_SIDE)], { type: 'image/png' }),
    target: server.target,
  })
  const states = statesOf({ pid: server.pid, folder, postmaster: await postmasterOf(folder) })
  const honest = others.slice(0, HONEST).map(({ token }, n) => async () => {
    const message = { entity_id: cast.rooms[(n % 3) + 1], content: `Good morning ${Math.random()}` }
    await send('POST', '/messages', { token, body: { message }, as: 'honest messages', expect: [201] })
  })
  const alone = await runAlone({ server, attacks, figures, say })
  say(`${Object.keys(attacks).length} attacks side by side for ${seconds} s`)
  const faults = []
  const watching = watch({ url: server.url, pid: server.pid })
  const until = performance.now() + seconds * 1000
  await Promise.all([
    ...Object.entries(attacks).map(([name, { round }]) => repeat(until, () => figures.during(name, round))),
    ...honest.map((round) => repeat(until, round)),
    checkStates(states, faults),
  ])
  const watched = await watching.stop()
  faults.push(...livezFaults(watched, crowded))
  for (const [name, { after }] of Object.entries(attacks)) {
    const fault = await after?.().catch((error) => String(error))
    if (fault) faults.push(`${name}: ${fault}`)
  }
  faults.push(...figures.faults())
  const honestLimit = { 'honest messages': { must: 'they are not held up', within_ms: HONEST_MS } }
  const told = {}
  for (const [name, { must, within_ms }] of Object.entries({ ...attacks, ...honestLimit })) {
    told[name] = { must, ...figures.byName()[name] }
    if (within_ms && told[name].worst_ms > within_ms * crowded)
      faults.push(`${name}: ${told[name].worst_ms} ms`)
  }
  for (const [name, { must }] of Object.entries(states)) told[name] = { must }
  return { requests: figures.total(), ...watched, alone, attacks: told, faults }
}

async function attackStrict({ server, db, folder }) {
  const { send, figures } = createSender(server.url)
  const cast = await gather(db, { urlOf: () => '' })
  const owner = server.first.token
  const checks = await strictChecks({ send, db, cast, owner, folder })
  const failed = Object.entries(checks).filter(([, { fault }]) => fault)
  return {
    requests: figures.total(),
    checks,
    faults: [...failed.map(([name, { fault }]) => `${name}: ${fault}`), ...figures.faults()],
  }
}

export async function abuse({ seconds, say }) {
  const pages = await openPages()
  const port = await freePort()
  const quiet = { PARLEY_LOG_LEVEL: 'silent' }
  const open = {
    ...quiet,
    PORT: String(port),
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PARLEY_OUTBOUND_ALLOW: '127.0.0.1/32',
  }
  const strict = { ...quiet, PARLEY_PUBLIC_URL: 'https://chat.example.org', PARLEY_RATE_LIMITS: 'on' }
  const crowded = crowding()
  try {
    const attacked = await withServer(open, (running) =>
      attackServer({ ...running, pages, seconds, crowded, say }),
    )
    say('a second server, with limits on and no inner address allowed')
    const second = await withServer(strict, (running) => attackStrict(running))
    return {
      seconds,
      crowded,
      ...attacked,
      strict: second.checks,
      requests: attacked.requests + second.requests,
      faults: [...attacked.faults, ...second.faults],
    }
  } finally {
    pages.close()
  }
}
