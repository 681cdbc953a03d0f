import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, readFile, readlink, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEmbeddedPostgres } from './embedded.js'
import {
  embeddedStage,
  eventually,
  isRunning,
  launcher,
  query,
  readReport,
  spawnServer,
} from './testing-embedded.js'

const ROOT = process.getuid?.() === 0
const NOBODY = 65534
const { at, start } = embeddedStage()

test('root gives the database an account of its own, and the next start finds it', {
  skip: !ROOT,
}, async (t) => {
  const folder = at('by-root')
  const server = await start(t, { folder, durable: false })
  const { uid } = await stat(join(folder, 'cluster'))
  assert.ok(uid !== 0 && uid !== NOBODY)
  assert.ok(!(await readFile('/etc/passwd', 'utf8')).includes(`:${uid}:`))
  assert.deepEqual(await realIds(server.pid), [uid, uid, uid, uid])
  await server.stop()
  await start(t, { folder, durable: false })
  assert.equal((await stat(join(folder, 'cluster'))).uid, uid)
})

test('a folder that is closed to others keeps the link, and no cluster ever runs as root', {
  skip: !ROOT,
}, async (t) => {
  const closed = at('closed')
  await mkdir(closed, { mode: 0o700 })
  const folder = join(closed, 'data')
  const server = await start(t, { folder })
  t.after(() => rm(server.place, { recursive: true, force: true }))
  assert.notEqual(server.place, folder)
  assert.equal(await readlink(join(folder, 'cluster')), join(server.place, 'cluster'))
  assert.ok(!(await realIds(server.pid)).includes(0))
  await assert.rejects(query(server.url, `select pg_read_file('/etc/shadow')`), /Permission denied/)
  await query(server.url, 'create table notes as select 1 as id')
  await server.stop()

  const again = await start(t, { folder })
  assert.deepEqual(await query(again.url, 'select id from notes'), [{ id: 1 }])
  await again.stop()

  await rename(server.place, `${server.place}-lost`)
  await assert.rejects(startEmbeddedPostgres({ folder }), /was in .+, which is gone/)
  await rename(`${server.place}-lost`, server.place)
})

test('a cluster that another account left in a closed folder is moved with its rows', {
  skip: !ROOT,
}, async (t) => {
  const parent = at('moved')
  const folder = join(parent, 'data')
  const open = await start(t, { folder })
  await query(open.url, 'create table notes as select 1 as id')
  await open.stop()
  await chmod(parent, 0o700)

  const server = await start(t, { folder })
  t.after(() => rm(server.place, { recursive: true, force: true }))
  assert.notEqual(server.place, folder)
  assert.deepEqual(await query(server.url, 'select id from notes'), [{ id: 1 }])
})

test('an ordinary user starts it as himself', { skip: !ROOT || !mayRead(launcher) }, async () => {
  for (const [uid, gid] of [
    [NOBODY, NOBODY],
    [1, 1],
  ]) {
    const folder = at(`by-${uid}`)
    await mkdir(folder, { mode: 0o700 })
    await chown(folder, uid!, gid!)
    const child = spawnServer(folder, { uid, gid })
    const { pid } = await readReport(child)
    assert.equal((await stat(`/proc/${pid}`)).uid, uid)
    child.kill('SIGKILL')
    await eventually(async () => assert.ok(!isRunning(pid)))
  }
})

/** The user ids of a process as the host sees them: a namespace of its own would show others inside. */
async function realIds(pid: number): Promise<number[]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return /^Uid:\s+(.*)$/m.exec(status)![1]!.split(/\s+/).map(Number)
}

function mayRead(url: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'test -r "$0"', new URL(url).pathname], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
    })
    return true
  } catch {
    return false
  }
}
