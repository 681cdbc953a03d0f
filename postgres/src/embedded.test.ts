import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, type TestContext, test } from 'node:test'
import { Client, type QueryResultRow } from 'pg'
import { chooseAccount } from './account.js'
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.js'
import { choosePrograms, commandFor } from './programs.js'
import { saveTemplate } from './template.js'

const ROOT = process.getuid?.() === 0
const NOBODY = 65534
const launcher = new URL('./embedded.js', import.meta.url).href
let base: string
let template: string

before(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'parley-embedded-')))
  await chmod(base, 0o755)
  template = join(base, 'template')
  const folder = join(base, 'made-once')
  await (await startEmbeddedPostgres({ folder, durable: false })).stop()
  await saveTemplate(folder, template)
})
after(() => rm(base, { recursive: true, force: true }))

test('the first start makes the database, the next ones find it', async (t) => {
  const folder = join(base, 'first')
  const cold = await start(t, { folder, template: undefined })
  await query(cold.url, 'create table notes (id int primary key)')
  await query(cold.url, 'insert into notes values (1)')
  const [settings] = await query(
    cold.url,
    `select current_setting('fsync') fsync, current_setting('synchronous_commit') synchronous_commit,
      current_setting('full_page_writes') full_page_writes, current_setting('data_checksums') data_checksums,
      current_setting('jit') jit, current_setting('timezone') timezone, current_setting('listen_addresses') listens,
      current_setting('server_encoding') encoding, current_setting('server_version') version,
      (select datlocprovider::text || datlocale from pg_database where datname = current_database()) locale,
      lower('ЁЖ') lowered`,
  )
  assert.deepEqual(settings, {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    jit: 'off',
    timezone: 'UTC',
    listens: '',
    encoding: 'UTF8',
    version: cold.version,
    locale: 'bC.UTF-8',
    lowered: 'ёж',
  })
  await cold.stop()
  assert.deepEqual((await readdir(folder)).sort(), ['cluster', 'password', 'postgres.log'])

  const warm = await start(t, { folder })
  assert.deepEqual(await query(warm.url, 'select id from notes'), [{ id: 1 }])
})

test('a second server on the same folder is refused', async (t) => {
  const folder = join(base, 'second')
  const first = await start(t, { folder, durable: false })
  const refused = /^Error: Another server \(process \d+ on .+\) is using .+ choose another data folder\.$/
  await assert.rejects(startEmbeddedPostgres({ folder }), refused)

  const second = spawnServer(folder)
  const [line] = await once(createInterface(second.stderr!), 'line')
  await once(second, 'exit')
  assert.match(line, refused)
  assert.deepEqual(await query(first.url, 'select 1 as one'), [{ one: 1 }])
})

test('a killed PostgreSQL comes back under the same url', async (t) => {
  const folder = join(base, 'killed')
  const server = await start(t, { folder })
  await query(server.url, 'create table notes as select 1 as id')

  // A backend that is busy outlives its postmaster and would hold the cluster.
  const busy = new Client({ connectionString: server.url })
  busy.on('error', () => {})
  await busy.connect()
  const lost = busy.query('select count(*) from generate_series(1, 1000000000000)').catch(() => 'lost')
  await eventually(async () => {
    const [found] = await query(
      server.url,
      `select from pg_stat_activity where query like '%generate_series%' and pid <> pg_backend_pid()`,
    )
    assert.ok(found)
  })

  const former = server.pid
  const told = untilExit(server)
  process.kill(former, 'SIGKILL')
  assert.equal(await told, 'PostgreSQL ended with SIGKILL')
  assert.equal(await lost, 'lost')
  await eventually(async () => assert.deepEqual(await query(server.url, 'select id from notes'), [{ id: 1 }]))
  assert.notEqual(server.pid, former)
})

test('a stop while PostgreSQL is being started again stops it', async (t) => {
  const folder = join(base, 'stopped')
  const server = await start(t, { folder, durable: false })
  const told = untilExit(server)
  process.kill(server.pid, 'SIGKILL')
  await told
  await server.stop()
  await assert.rejects(query(server.url, 'select 1'))
  await (await start(t, { folder, durable: false })).stop()
})

test('after kill -9 of a server the next one takes over with every committed row', async (t) => {
  const folder = join(base, 'crashed')
  const child = spawnServer(folder)
  const { url, pid } = await readReport(child)
  await query(url, 'create table notes (id int)')
  for (let id = 0; id < 50; id++) await query(url, `insert into notes values (${id})`)
  child.kill('SIGKILL')
  await once(child, 'exit')

  const next = await start(t, { folder })
  assert.deepEqual(await query(next.url, 'select count(*)::int from notes'), [{ count: 50 }])
  await eventually(async () => assert.ok(!isRunning(pid)))
})

test('an orphaned PostgreSQL is ended by the next start', async (t) => {
  const folder = join(base, 'orphan')
  await (await start(t, { folder })).stop()
  const account = await chooseAccount(join(folder, 'cluster'))
  const programs = { ...(await choosePrograms(folder, account)), deathSignal: false }
  const cluster = join(folder, 'cluster')
  const args = [
    '-D',
    cluster,
    '-c',
    'listen_addresses=',
    '-c',
    `unix_socket_directories=${await makeSocketFolder()}`,
  ]
  const command = commandFor(programs, 'postgres', args)
  const orphan = spawn(command.file, command.args, { ...command.options, detached: true, stdio: 'ignore' })
  await eventually(async () => assert.match(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), /ready/))

  const server = await start(t, { folder })
  assert.equal(orphan.exitCode, 0)
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }])
})

test('a pid file that names a stranger is no hindrance', async (t) => {
  const folder = join(base, 'stale')
  await (await start(t, { folder, durable: false })).stop()
  await writeFile(
    join(folder, 'cluster', 'postmaster.pid'),
    `${process.pid}\n${folder}\n0\n5432\n\n\n\nready\n`,
  )
  await start(t, { folder, durable: false })
})

test('PostgreSQL ends with its server where there is no setpriv', async (t) => {
  const folder = join(base, 'watched')
  await (await start(t, { folder })).stop()
  const child = spawnModule(`
    const { supervise } = await import(new URL('./supervise.js', '${launcher}').href)
    const { choosePrograms } = await import(new URL('./programs.js', '${launcher}').href)
    const { chooseAccount } = await import(new URL('./account.js', '${launcher}').href)
    const { openLogFile } = await import(new URL('./log-file.js', '${launcher}').href)
    const folder = ${JSON.stringify(folder)}
    const postmaster = await supervise({
      programs: { ...(await choosePrograms(folder, await chooseAccount(folder + '/cluster'))), deathSignal: false },
      cluster: folder + '/cluster',
      settings: { listen_addresses: '', unix_socket_directories: ${JSON.stringify(await makeSocketFolder())} },
      logFile: await openLogFile(folder + '/postgres.log'),
      log: () => {},
    })
    console.log(JSON.stringify({ pid: postmaster.pid() }))
    setInterval(() => {}, 1000)`)
  const { pid } = await readReport(child)
  assert.ok(isRunning(pid))
  child.kill('SIGKILL')
  await eventually(async () => assert.ok(!isRunning(pid)))
})

test('a folder may have a long name, spaces and other signs', async (t) => {
  for (const name of [
    "two words, a 'quote' and %20 & ё",
    join(...Array.from({ length: 12 }, () => 'deep-folder'.repeat(4))),
  ]) {
    const server = await start(t, { folder: join(base, name), durable: false })
    assert.deepEqual(await query(server.url, 'select current_database() as name'), [{ name: 'parley' }])
    const socket = new URL(server.url.replace('@/', '@x/')).searchParams.get('host')!
    assert.equal((await stat(socket)).mode & 0o777, 0o700)
    await server.stop()
    await assert.rejects(stat(socket))
  }
})

test('a first start that was cut short is begun anew', async (t) => {
  const folder = join(base, 'short')
  await mkdir(join(folder, 'cluster-unfinished'), { recursive: true })
  await writeFile(join(folder, 'cluster-unfinished', 'PG_VERSION'), '18')
  const server = await start(t, { folder, durable: false, template: undefined })
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }])
})

test('a template is copied with its rows, and one of another version or that is not there is passed over', async (t) => {
  const filled = await start(t, { folder: join(base, 'filled'), durable: false })
  await query(filled.url, 'create table notes as select 7 as id')
  await filled.stop()
  const kept = join(base, 'kept', 'filled')
  await saveTemplate(join(base, 'filled'), kept)
  await saveTemplate(join(base, 'filled'), kept)
  const copy = await start(t, { folder: join(base, 'copy'), durable: false, template: kept })
  assert.deepEqual(await query(copy.url, 'select id from notes'), [{ id: 7 }])
  assert.deepEqual(await readdir(join(base, 'kept')), ['filled'])

  await writeFile(join(kept, 'cluster', 'PG_VERSION'), '17\n')
  const other = await start(t, { folder: join(base, 'other'), durable: false, template: kept })
  await assert.rejects(query(other.url, 'select id from notes'), { code: '42P01' })
})

test('a cluster of another major version is refused and left alone', async () => {
  const folder = join(base, 'older')
  await mkdir(join(folder, 'cluster'), { recursive: true })
  await writeFile(join(folder, 'cluster', 'PG_VERSION'), '17\n')
  await assert.rejects(startEmbeddedPostgres({ folder }), /is of PostgreSQL 17 and this server brings 18/)
  assert.deepEqual(await readdir(folder), ['cluster'])
})

test('root gives the database an account of its own, and the next start finds it', {
  skip: !ROOT,
}, async (t) => {
  const folder = join(base, 'by-root')
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
  const closed = join(base, 'closed')
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
  const parent = join(base, 'moved')
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

test('the socket asks for a password, also where an earlier version asked for none', async (t) => {
  const folder = join(base, 'password')
  const first = await start(t, { folder, durable: false })
  const bare = first.url.replace(/parley:\w+@/, 'parley@')
  await assert.rejects(query(bare, 'select 1'), /password/)
  assert.equal((await stat(join(folder, 'password'))).mode & 0o777, 0o600)
  await query(first.url, 'alter role parley password null')
  await first.stop()

  await rm(join(folder, 'password'))
  await writeFile(join(folder, 'cluster', 'pg_hba.conf'), 'local all all trust\n')
  const second = await start(t, { folder, durable: false })
  assert.deepEqual(await query(second.url, 'select 1 as one'), [{ one: 1 }])
  await assert.rejects(query(bare, 'select 1'), /password/)
})

test('an ordinary user starts it as himself', { skip: !ROOT || !mayRead(launcher) }, async () => {
  for (const [uid, gid] of [
    [NOBODY, NOBODY],
    [1, 1],
  ]) {
    const folder = join(base, `by-${uid}`)
    await mkdir(folder, { mode: 0o700 })
    await chown(folder, uid!, gid!)
    const child = spawnServer(folder, { uid, gid })
    const { pid } = await readReport(child)
    assert.equal((await stat(`/proc/${pid}`)).uid, uid)
    child.kill('SIGKILL')
    await eventually(async () => assert.ok(!isRunning(pid)))
  }
})

async function start(t: TestContext, options: EmbeddedOptions) {
  const began = performance.now()
  const server = await startEmbeddedPostgres({ template, ...options })
  t.diagnostic(`started in ${Math.round(performance.now() - began)} ms`)
  t.after(() => server.stop())
  return server
}

async function makeSocketFolder(): Promise<string> {
  const folder = await mkdtemp(join(base, 's-'))
  await chmod(folder, 0o777)
  return folder
}

/** Keeps this process alive meanwhile, which the database alone does not. */
function untilExit(server: EmbeddedPostgres): Promise<string> {
  const alive = setInterval(() => {}, 1_000)
  return new Promise<string>((resolve) => server.onExit(resolve)).finally(() => clearInterval(alive))
}

function spawnServer(folder: string, options: { uid?: number; gid?: number } = {}): ChildProcess {
  return spawnModule(
    `const { startEmbeddedPostgres } = await import('${launcher}')
     try {
       const { url, pid } = await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)} })
       console.log(JSON.stringify({ url, pid }))
       setInterval(() => {}, 1000)
     } catch (error) {
       console.error(String(error))
     }`,
    options,
  )
}

function spawnModule(source: string, options: { uid?: number; gid?: number } = {}): ChildProcess {
  const args = ['--input-type=module', '-e', source]
  return spawn(process.execPath, args, { ...options, cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function readReport(child: ChildProcess): Promise<{ url: string; pid: number }> {
  child.stderr!.pipe(process.stderr)
  const [line] = await once(createInterface(child.stdout!), 'line')
  return JSON.parse(line)
}

async function query(url: string, text: string): Promise<QueryResultRow[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Tries until it holds; the runner's own time limit ends what never does. */
async function eventually(holds: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + 20_000; ; ) {
    try {
      return await holds()
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** A zombie has ended, however long its new parent takes to notice. */
function isRunning(pid: number): boolean {
  try {
    return !execFileSync('/bin/ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

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
