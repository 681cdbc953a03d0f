// ejabberd as Debian packages it, where it is installed: one-to-one messages over its HTTP API, kept in its archive.
// Its answer promises less than ours: Mnesia writes its log and its tables seconds later, so a kill loses what came last.
// A write to a user's archive costs more the more it holds, so its rate falls from slice to slice.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { freePort, makeFolder } from '../machine/processes.mjs'
import { randomFrom, sentence } from '../stage/words.mjs'
import { postsTo, startPeer } from './start.mjs'

const USERS = 200
const HOST = 'localhost'

const findScript = () =>
  [...process.env.PATH.split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, 'ejabberdctl'))
    .find((file) => existsSync(file))

/** The script runs it as another user, in a process below its own. We start it ourselves, and read there where things are. */
function readScript(file) {
  const text = readFileSync(file, 'utf8')
  const setting = (name) => new RegExp(`^\\s*${name}=["']?([^"'\\n]+)`, 'm').exec(text)?.[1]
  return { erl: setting('ERL'), libraries: setting('ERL_LIBS') }
}

/** Loopback may ask anything, nothing is slowed down, and every message goes to the archives of both its ends. */
const configuration = (port) => `
hosts: [${HOST}]
loglevel: warning
acme: { auto: false }
listen:
  - { port: ${port}, ip: "127.0.0.1", module: ejabberd_http, request_handlers: { /api: mod_http_api } }
acl:
  loopback: { ip: [127.0.0.0/8] }
api_permissions:
  "loopback": { who: { access: { allow: [{ acl: loopback }] } }, what: "*" }
modules:
  mod_admin_extra: {}
  mod_http_api: {}
  mod_mam: { db_type: mnesia, default: always }
`

/** A node with a name of its own that needs no port mapper, so that none stays behind. */
async function nodeArgs(folder) {
  const port = await freePort()
  return [
    ...['-sname', `parley_bench_${port}@localhost`, '-start_epmd', 'false', '-erl_epmd_port', String(port)],
    ...['-kernel', 'inet_dist_use_interface', '{127,0,0,1}', '-noinput'],
    ...['-mnesia', 'dir', JSON.stringify(join(folder, 'spool')), '-s', 'ejabberd'],
  ]
}

async function startEjabberd(script, folder, port) {
  const { erl, libraries } = readScript(script)
  const file = join(folder, 'ejabberd.yml')
  writeFileSync(file, configuration(port))
  mkdirSync(join(folder, 'spool'))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ERL_LIBS: libraries,
    EJABBERD_CONFIG_PATH: file,
    EJABBERD_LOG_PATH: join(folder, 'ejabberd.log'),
  }
  const url = `http://127.0.0.1:${port}/api/status`
  return startPeer(erl, await nodeArgs(folder), { cwd: folder, env, url })
}

async function registerUsers(port) {
  const users = Array.from({ length: USERS }, (_, n) => `user${n}`)
  for (const user of users) {
    const body = JSON.stringify({ user, host: HOST, password: 'secret' })
    const answer = await fetch(`http://127.0.0.1:${port}/api/register`, { method: 'POST', body })
    if (!answer.ok) throw new Error(`it registers nobody: ${await answer.text()}`)
  }
  return users.map((user) => `${user}@${HOST}`)
}

function messagesAmong(users) {
  const random = randomFrom(5)
  return users.map((from, n) => ({
    method: 'POST',
    path: '/api/send_message',
    body: { type: 'chat', from, to: users[(n + 1) % users.length], subject: '', body: sentence(random, 120) },
  }))
}

export async function openEjabberd() {
  const script = findScript()
  if (!script) return { skipped: 'ejabberdctl is not on the PATH' }
  const folder = await makeFolder()
  const port = await freePort()
  let stop = () => {}
  const close = async () => {
    await stop()
    await folder.remove()
  }
  try {
    stop = await startEjabberd(script, folder.path, port)
    const users = await registerUsers(port)
    return { run: postsTo(port, messagesAmong(users)), close }
  } catch (error) {
    await close()
    throw error
  }
}
