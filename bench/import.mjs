// Imports many messages and files of Slack while people write: how fast, with how much memory and CPU, and what a send takes meanwhile.
// Then writes the portable file of all that.
// node bench/import.mjs [messages] [files]
import './help.mjs'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '../postgres/dist/index.js'
import { NODE_FLAGS } from '../scripts/node-flags.mjs'
import { exportPortable } from '../server/dist/operator/portable.js'
import { openWorkspace } from '../server/dist/operator/workspace.js'
import { readConfig } from '../server/dist/platform/config.js'
import { treeOf } from './machine/accounting.mjs'
import { makeFolder, startServer } from './machine/processes.mjs'
import { randomFrom } from './stage/words.mjs'

const messages = Number(process.argv[2] ?? 2_000_000)
const files = Number(process.argv[3] ?? 50_000)
const PEOPLE = 2000
const CHANNELS = 200
const A_DAY = 500
const TICKS_A_SECOND = 100
const WORDS =
  'the quick brown fox jumps over a lazy dog while *bold* _news_ and <@U7> wait for :smile: at noon'.split(
    ' ',
  )

const write = (path, value) => writeFile(path, JSON.stringify(value))

/** An export as a folder: days of five hundred messages, a reply in ten, a reaction in twenty, files where there are some left. */
async function generate(folder) {
  const random = randomFrom(1)
  const pick = (count) => Math.floor(random() * count)
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    id: `U${n}`,
    name: `person${n}`,
    profile: { real_name: `Person ${n}`, email: `person${n}@example.org` },
  }))
  const channels = Array.from({ length: CHANNELS }, (_, n) => ({
    id: `C${n}`,
    name: `channel-${n}`,
    created: 1_500_000_000,
    creator: `U${n}`,
    members: Array.from({ length: 100 }, () => `U${pick(PEOPLE)}`),
  }))
  await mkdir(folder, { recursive: true })
  await write(join(folder, 'users.json'), people)
  await write(join(folder, 'channels.json'), channels)
  let left = files
  for (let done = 0; done < messages; done += A_DAY) {
    const day = Math.floor(done / A_DAY / CHANNELS)
    const channel = (done / A_DAY) % CHANNELS
    const at = 1_600_000_000 + day * 86_400
    let root = null
    const said = []
    for (let n = 0; n < Math.min(A_DAY, messages - done); n += 1) {
      const ts = `${at + n * 100}.${String(n).padStart(6, '0')}`
      const text = Array.from({ length: 5 + pick(20) }, () => WORDS[pick(WORDS.length)]).join(' ')
      const message = { type: 'message', user: `U${pick(PEOPLE)}`, ts, text }
      if (n % 10 === 0) root = ts
      if (n % 10 === 5) message.thread_ts = root
      if (n % 20 === 3) message.reactions = [{ name: 'wave', users: [`U${pick(PEOPLE)}`], count: 1 }]
      if (left > 0 && n % Math.max(1, Math.floor((messages / files) * 0.9)) === 0) {
        left -= 1
        message.files = [await addFile(folder, left)]
      }
      said.push(message)
    }
    const place = join(folder, `channel-${channel}`)
    await mkdir(place, { recursive: true })
    const name = new Date(at * 1000).toISOString().slice(0, 10)
    await write(join(place, `${name}.json`), said)
  }
}

async function addFile(folder, n) {
  const place = join(folder, '__uploads', `F${n}`)
  await mkdir(place, { recursive: true })
  const bytes = Buffer.alloc(2048, `file ${n} `)
  await writeFile(join(place, `file-${n}.txt`), bytes)
  return { id: `F${n}`, name: `file-${n}.txt`, size: bytes.length, mode: 'hosted' }
}

const peakMegabytes = (pid) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

function cpuSeconds(pid) {
  return treeOf(pid).reduce((sum, { own, reaped }) => sum + own + reaped, 0) / TICKS_A_SECOND
}

const p95 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]

/** Sends a message every tenth of a second until stopped; returns how long each took. */
async function send(server, chat_id, isOver) {
  const headers = { authorization: `Bearer ${server.first.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ message: { entity_id: chat_id, content: 'hello' } })
  const times = []
  while (!isOver(times.length)) {
    const began = performance.now()
    const answer = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(`a send was answered with ${answer.status}`)
    times.push(performance.now() - began)
    await wait(100)
  }
  return times
}

async function createChat(server) {
  const headers = { authorization: `Bearer ${server.first.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ chat: { name: 'meanwhile' } })
  const answer = await fetch(`${server.url}/v1/chats`, { method: 'POST', headers, body })
  return (await answer.json()).data.id
}

/** Follows an import: what each phase took. */
async function follow(child, database) {
  const phases = new Map()
  let before = { at: performance.now(), cpu: 0, database: cpuSeconds(database) }
  child.on('message', ({ phase, done }) => {
    const now = { at: performance.now(), cpu: cpuSeconds(child.pid), database: cpuSeconds(database) }
    const known = phases.get(phase) ?? { phase, done: 0, seconds: 0, cpu: 0, database: 0, peak_mb: 0 }
    known.done = done
    known.seconds += (now.at - before.at) / 1000
    known.cpu += now.cpu - before.cpu
    known.database += now.database - before.database
    known.peak_mb = Math.round(peakMegabytes(child.pid))
    phases.set(phase, known)
    before = now
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  return [...phases.values()]
}

/** Writes the portable file as the command does. */
async function exportAll(env, database, file) {
  const workspace = await openWorkspace(readConfig(env))
  const options = {
    without_files: false,
    without_audit: false,
    without_personal_chats: false,
    with_addresses: false,
    since: null,
  }
  const [began, cpu, before] = [performance.now(), process.cpuUsage(), cpuSeconds(database)]
  await exportPortable(workspace, { file, options })
  const { user, system } = process.cpuUsage(cpu)
  await workspace.close()
  const size = (await stat(file)).size / 1024 / 1024
  console.log(
    `portable file of ${Math.round(size)} MB in ${((performance.now() - began) / 1000).toFixed(1)} s; CPU of the export ${((user + system) / 1e6).toFixed(1)} s, of the database ${(cpuSeconds(database) - before).toFixed(1)} s; peak ${Math.round(peakMegabytes(process.pid))} MB`,
  )
}

const folder = await makeFolder()
const archive = join(folder.path, 'export')
let server
let postgres
try {
  console.log(`generating ${messages} messages and ${files} files …`)
  await generate(archive)
  postgres = await startEmbeddedPostgres({ folder: join(folder.path, 'postgres') })
  const data = join(folder.path, 'data')
  server = await startServer({
    folder: data,
    env: { DATABASE_URL: postgres.url, PARLEY_LOG_LEVEL: 'error', PARLEY_DAILY_MESSAGES: '1000000000' },
  })
  const chat = await createChat(server)
  const idle = await send(server, chat, (count) => count >= 100)
  const program = fileURLToPath(new URL('../server/dist/imports/testing-process.js', import.meta.url))
  const env = { PATH: process.env.PATH, DATABASE_URL: postgres.url, PARLEY_DATA_DIR: data }
  const began = performance.now()
  const child = fork(program, [archive, 'giving-way'], { env, execArgv: NODE_FLAGS })
  let over = false
  const meanwhile = send(server, chat, () => over)
  const phases = await follow(child, postgres.pid).finally(() => {
    over = true
  })
  const busy = await meanwhile
  for (const { phase, done, seconds, cpu, database, peak_mb } of phases)
    console.log(
      `${phase.padEnd(12)} ${done} in ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} a second; CPU of the importer ${cpu.toFixed(1)} s, of the database ${database.toFixed(1)} s; peak ${peak_mb} MB`,
    )
  console.log(`whole import ${((performance.now() - began) / 1000).toFixed(0)} s`)
  console.log(`p95 of a send: idle ${p95(idle).toFixed(1)} ms, meanwhile ${p95(busy).toFixed(1)} ms`)
  await exportAll(env, postgres.pid, join(folder.path, 'all.parley'))
} finally {
  await server?.stop()
  await postgres?.stop()
  await folder.remove()
}
